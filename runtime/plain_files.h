/* Plain files by which threads and processes of a group act on each other. They are real, and most are one's own, so an access to a file is no
 * operation, until somebody looks at what another one changes: then everything begins again, and from there on (GROUP_BY_FILES) it is one, for whoever
 * is not alone. What is accessed is known by the last part of its name: what has the same there is taken for the same file, and what is reached by
 * two names (links) for two. Who says by VS_event what his calls do is left alone. A place in a file that only its opener uses is his own; for all others to read is to change it.
 * SPDX-License-Identifier: MIT */
#ifndef RT_PLAIN_FILES_H
#define RT_PLAIN_FILES_H

#include "descriptors.h"
#include "words.h"

enum { RT_LOOKS = 1, RT_CHANGES = 2 };                    /* bits of `how` */

/* What the operation is about; NULL: it is none. path: any; kept: where the last part of it is put, for people. */
const void *rt_named_file(const char *path, unsigned how, const char **kept);
const void *rt_open_file(int fd, unsigned how, const char **kept);               /* of the kernel */

RT_INLINE void rt_file_operation(const void *object, const char *name, unsigned how, const char *function, uint64_t place)
{
    struct rt_words words;
    struct rt_call call = rt_access_call(how & RT_CHANGES, object, object ? rt_words(&words, function, name, strlen(name)) : NULL);
    call.arg[0] = ACCESS_OF_FILE;
    call.place = place;
    if (object)
        RT_ENTER(&call);
}

/* About to look at a file, or to change it; place 0: where the call is. */
RT_INLINE void rt_before_named(const char *function, const char *path, unsigned how, uint64_t place)
{
    const char *name = NULL;
    const void *object = rt_named_file(path, how, &name);
    rt_file_operation(object, name, how, function, place);
}

RT_INLINE void rt_before_file(const char *function, int fd, unsigned how, uint64_t place)
{
    const char *name = NULL;
    const void *object = rt_open_file(fd, how, &name);
    rt_file_operation(object, name, how, function, place);
}

/* Likewise, where the place in the file moves on. */
RT_INLINE void rt_before_moving(const char *function, int fd, unsigned how, uint64_t place)
{
    rt_before_file(function, fd, rt_has_opened(fd) ? how : how | RT_CHANGES, place);
}

#endif
