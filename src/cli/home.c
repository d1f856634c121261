/* SPDX-License-Identifier: MIT */
#include "cli/home.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Both seen from the folder of the command: the folder of the header, and what stands before all other names. */
static const struct place { const char *include, *ours; } places[] = {
    { "../include",          "" },                       /* built, in place */
    { "../../include",       "" },                       /* built with a sanitizer, one folder deeper */
    { "../include/verisoft", "../lib/verisoft/" },       /* installed */
};

static bool there(const char *folder, const char *name, char *out)
{
    return snprintf(out, PATH_MAX, "%s/%s", folder, name) < PATH_MAX && !access(out, R_OK);
}

static bool ours(const char *folder, const struct place *place, const char *name, char *out)
{
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s%s", place->ours, name) < PATH_MAX && there(folder, path, out);
}

static bool whole(const char *folder, const struct place *place, struct home *home)
{
    char header[PATH_MAX];
    if (!ours(folder, place, "verisoft-extract", home->parser))
        home->parser[0] = '\0';
    return ours(folder, place, "verisoft-rt.o", home->runtime) && ours(folder, place, "libverisoft.so", home->library)
        && ours(folder, place, "libverisoft-hooks.so", home->hooks) && ours(folder, place, "verisoft-near.o", home->near) && ours(folder, place, "verisoft.specs", home->specs) && ours(folder, place, "drivers", home->drivers)
        && ours(folder, place, "verisoft-loader", home->loader)
        && there(folder, place->include, home->include) && there(home->include, "verisoft.h", header);
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
    return fail(err, "%s: VeriSoft's own files (verisoft-rt.o, libverisoft.so, verisoft.h, ...) are not all there, nor in ../lib/verisoft; build (make) or "
                "install (make install) VeriSoft again", self);
}
