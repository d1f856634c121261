/* SPDX-License-Identifier: MIT */
#include "cli/home.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Both seen from the folder of the command. */
static const struct place { const char *include, *runtime, *library, *parser; } places[] = {
    { "../include",          "verisoft-rt.o", "libverisoft.so", "verisoft-extract" },            /* built, in place */
    { "../../include",       "verisoft-rt.o", "libverisoft.so", "verisoft-extract" },            /* built with a sanitizer, one folder deeper */
    { "../include/verisoft", "../lib/verisoft/verisoft-rt.o", "../lib/verisoft/libverisoft.so",
      "../lib/verisoft/verisoft-extract" },                                                    /* installed */
};

static bool there(const char *folder, const char *name, char *out)
{
    return snprintf(out, PATH_MAX, "%s/%s", folder, name) < PATH_MAX && !access(out, R_OK);
}

static bool whole(const char *folder, const struct place *place, struct home *home)
{
    char header[PATH_MAX];
    if (!there(folder, place->parser, home->parser))
        home->parser[0] = '\0';
    return there(folder, place->runtime, home->runtime) && there(folder, place->library, home->library) && there(folder, place->include, home->include)
        && there(home->include, "verisoft.h", header);
}

int home_find(struct home *home, struct err *err)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return fail_errno(err, "/proc/self/exe: cannot see where this command lives; is /proc mounted?");
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (whole(self, &places[i], home))
            return 0;
    return fail(err, "%s: neither %s nor %s is there, with verisoft.h to it; build (make) or install (make install) VeriSoft again",
                self, places[0].runtime, places[2].runtime);
}
