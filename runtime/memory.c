/* Memory: what processes share, and what one maps for itself. In a sharing group both must go back with snapshots, so both are the
 * runtime's. Elsewhere a shared segment can be asked for, by the rules for objects, but to attach it needs a group.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "descriptors.h"
#include "mapped.h"
#include "plain_files.h"
#include "sys.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

enum { PAGE = 4096 };

static uint64_t whole_pages(uint64_t bytes) { return (bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1); }

/* Addresses of shared memory depend on who was first: to ask for some has an order. */
RT_INLINE void *share(uint64_t bytes)                    /* NULL: none left */
{
    struct rt_call call = rt_access_call(true, &rt_root->memory, "new shared memory");
    RT_ENTER(&call);
    char *at = bytes < RT_WINDOW ? rt_try_shared(whole_pages(bytes) + PAGE) : NULL;
    return at ? (void *)whole_pages((uint64_t)at) : NULL;
}

/* ---- SysV segments ---- */

RT_INLINE int group_shmget(key_t key, size_t size, int flags)
{
    bool made;
    struct rt_id *id = rt_get_id(RT_SEGMENTS, key, flags, &made, "shmget (of more segments than VeriSoft can control)");
    if (!id)
        return -1;
    if (!made && size > id->bytes)
        return (int)rt_answer(-EINVAL);
    if (made && size == 0) {
        id->used = false;
        return (int)rt_answer(-EINVAL);
    }
    if (made) {
        id->bytes = size;
        id->memory = share(size);
        if (!id->memory)
            RT_REFUSE("shmget (of so much memory)");
    }
    return rt_number_of(RT_SEGMENTS, id);
}

RT_INLINE int shmget_alone(key_t key)
{
    struct rt_call call = {.event = EVENT_SEGMENT, .number = key, .index = -1};
    return (int)rt_answer((int)RT_ENTER(&call));
}

RT_FUNCTION(int, shmget, (key_t key, size_t size, int flags), (key, size, flags),
    KERNEL(SYS_shmget, key, size, flags), DO(shmget_alone(key)), DO(group_shmget(key, size, flags)))

static struct rt_id *segment_at(const void *at)
{
    for (struct rt_id *id = rt_root->ids[RT_SEGMENTS]; id < rt_root->ids[RT_SEGMENTS] + RT_IDS; id++)
        if (id->used && id->memory == at)
            return id;
    return NULL;
}

RT_INLINE void *group_shmat(int number, const void *at)
{
    const struct rt_id *id = rt_id_of(RT_SEGMENTS, number);
    if (at)
        RT_REFUSE("shmat (at a given address)");
    return id ? id->memory : (void *)rt_answer(-EINVAL);
}

RT_FUNCTION(void *, shmat, (int number, const void *at, int flags), (number, at, flags),
    DO((void *)rt_answer(RT_SYS(SYS_shmat, number, at, flags))), NEED_GROUP, DO(group_shmat(number, at)))

RT_INLINE int group_shmdt(const void *at)
{
    return (int)rt_answer(segment_at(at) ? 0 : -EINVAL);
}

RT_GROUPED(int, shmdt, (const void *at), (at), KERNEL(SYS_shmdt, at), DO(group_shmdt(at)))

RT_INLINE int shmctl_alone(int command)
{
    if (command != IPC_RMID)
        RT_NEED_GROUP(shmctl);
    return 0;
}

RT_INLINE int group_shmctl(int number, int command)
{
    struct rt_id *id = rt_id_of(RT_SEGMENTS, number);
    if (!id)
        return -EINVAL;
    struct rt_call call = rt_access_call(true, rt_bucket(RT_SEGMENTS, id->key, NULL), "shmctl(IPC_RMID)");
    switch (command) {
    case IPC_RMID:
        if (id->key != IPC_PRIVATE)
            RT_ENTER(&call);
        id->removed = true;
        return 0;
    case IPC_STAT:
        RT_REFUSE("shmctl (with IPC_STAT: who is attached is not counted)");
        return -EINVAL;
    case IPC_SET: case SHM_LOCK: case SHM_UNLOCK:
        return 0;
    default:
        RT_REFUSE("shmctl (with this command)");
        return -EINVAL;
    }
}

RT_FUNCTION(int, shmctl, (int number, int command, struct shmid_ds *data), (number, command, data),
    KERNEL(SYS_shmctl, number, command, data), DO(shmctl_alone(command)), DO(rt_answer(group_shmctl(number, command))))

/* ---- POSIX shared memory: a file that is only memory ---- */

/* Behind its slashes, for "/a", "a" and "//a" are one name; NULL: that is none, there are no folders. */
static const char *plain_name(const char *name)
{
    while (*name == '/')
        name++;
    return *name && !strchr(name, '/') ? name : NULL;
}

RT_INLINE int open_memory(const char *called, int flags, mode_t mode)
{
    const char *name = plain_name(called);
    if (!name)
        return (int)rt_answer(-EINVAL);
    if (rt_too_long(called, "shm_open (of a name of more than 47 characters)"))
        return (int)rt_answer(-ENAMETOOLONG);
    struct rt_words words;
    struct rt_call call = rt_access_call(flags & O_CREAT, rt_bucket(RT_OBJECTS, 0, name), rt_words(&words, "shm_open", called, strlen(called)));
    RT_ENTER(&call);
    struct rt_id *id = rt_find_id(RT_OBJECTS, 0, name);
    if (id && flags & O_CREAT && flags & O_EXCL)
        return (int)rt_answer(-EEXIST);
    if (!id && !(flags & O_CREAT))
        return (int)rt_answer(-ENOENT);
    if (id && !rt_may_open(&id->rights, flags & O_TRUNC ? O_RDWR : flags))
        return (int)rt_answer(-EACCES);
    if (!id && (id = rt_new_id(RT_OBJECTS, 0, name)))
        id->rights = rt_rights_new(mode);
    if (!id) {
        RT_REFUSE_SIZE("shm_open (of more objects than VeriSoft can control)");
        return (int)rt_answer(-ENFILE);
    }
    if (flags & O_TRUNC && id->bytes)
        RT_REFUSE("shm_open (with O_TRUNC, of memory that has a size)");
    struct rt_file f = {.kind = RT_MEMORY, .access = flags & O_ACCMODE, .reads = RT_NOWHERE, .writes = RT_NOWHERE,
                        .listener = RT_NOWHERE, .name = RT_NOWHERE, .number = rt_number_of(RT_OBJECTS, id)};
    return rt_give_descriptor(&f, O_CLOEXEC, "shm_open" RT_MANY_FILES);
}

RT_FUNCTION(int, shm_open, (const char *name, int flags, mode_t mode), (name, flags, mode),
    LIBC, NEED_GROUP, DO(open_memory(name, flags, mode)))

RT_INLINE int group_shm_unlink(const char *called)
{
    const char *name = plain_name(called);
    if (!name)
        return (int)rt_answer(-ENOENT);
    if (rt_too_long(called, "shm_unlink (of a name of more than 47 characters)"))
        return (int)rt_answer(-ENAMETOOLONG);
    struct rt_words words;
    struct rt_call call = rt_access_call(true, rt_bucket(RT_OBJECTS, 0, name), rt_words(&words, "shm_unlink", called, strlen(called)));
    RT_ENTER(&call);
    return (int)rt_answer(rt_unlink_id(rt_find_id(RT_OBJECTS, 0, name)));
}

RT_FUNCTION(int, shm_unlink, (const char *name), (name), LIBC, DO(rt_unlink_nothing(name)), DO(group_shm_unlink(name)))

RT_INLINE int group_memfd_create(unsigned flags)
{
    struct rt_id *id = rt_new_id(RT_OBJECTS, 0, NULL);
    if (!id) {
        RT_REFUSE_SIZE("memfd_create (of more memory than VeriSoft can control)");
        return (int)rt_answer(-ENFILE);
    }
    id->removed = true;              /* it has no name */
    id->rights = rt_rights_new(0777);
    struct rt_file f = {.kind = RT_MEMORY, .access = O_RDWR, .reads = RT_NOWHERE, .writes = RT_NOWHERE, .listener = RT_NOWHERE,
                        .name = RT_NOWHERE, .number = rt_number_of(RT_OBJECTS, id)};
    return rt_give_descriptor(&f, flags & MFD_CLOEXEC ? O_CLOEXEC : 0, "memfd_create" RT_MANY_FILES);
}

RT_FUNCTION(int, memfd_create, (const char *name, unsigned flags), (name, flags),
    LIBC, NEED_GROUP, DO(group_memfd_create(flags)))

/* The memory is there once it has a size, and stays where it is. */
RT_INLINE int resize(const struct rt_file *f, uint64_t bytes)
{
    struct rt_id *id = f->kind == RT_MEMORY && f->access != O_RDONLY ? rt_id_of(RT_OBJECTS, f->number) : NULL;
    if (!id)
        return -EINVAL;
    struct rt_words words;
    struct rt_call call = rt_access_call(true, rt_bucket(RT_OBJECTS, 0, id->name),
                                         rt_words(&words, "ftruncate", id->name, strlen(id->name)));
    RT_ENTER(&call);
    if (id->memory && bytes > whole_pages(id->bytes))
        RT_REFUSE("ftruncate (of memory that has a size already)");
    if (!id->memory && bytes) {
        id->memory = share(bytes);
        if (!id->memory)
            RT_REFUSE("ftruncate (to so much memory)");
    }
    if (!id->bytes || bytes > id->bytes)
        id->bytes = bytes;
    return 0;
}

RT_INLINE int truncate_here(int fd, off_t bytes)
{
    if (!rt_file_of(fd)) {
        rt_before_file("ftruncate", fd, RT_CHANGES, 0);
        return (int)rt_answer(RT_SYS(SYS_ftruncate, fd, bytes));
    }
    return (int)rt_answer(bytes < 0 ? -EINVAL : resize(rt_file_of(fd), (uint64_t)bytes));
}

#define FTRUNCATE(name, type) \
    RT_GROUPED(int, name, (int fd, type bytes), (fd, bytes), KERNEL(SYS_ftruncate, fd, bytes), DO(truncate_here(fd, bytes)))
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, __off64_t)

RT_INLINE int allocate(int fd, off_t offset, off_t bytes)
{
    if (!rt_file_of(fd))
        return (int)-RT_SYS(SYS_fallocate, fd, 0, offset, bytes);
    return bytes < 0 || offset < 0 ? EINVAL : -resize(rt_file_of(fd), (uint64_t)(offset + bytes));
}

RT_GROUPED(int, posix_fallocate, (int fd, off_t offset, off_t bytes), (fd, offset, bytes),
    DO((int)-RT_SYS(SYS_fallocate, fd, 0, offset, bytes)), DO(allocate(fd, offset, bytes)))

/* ---- mapping ---- */

static void *kernel_map(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    return (void *)rt_answer(RT_SYS(SYS_mmap, at, bytes, protection, flags, fd, offset));
}

/* NULL: neither we nor the kernel has so much. */
RT_INLINE void *new_memory(size_t bytes, bool shared, const char *words)
{
    void *memory = shared ? share(bytes) : rt_heap_map(bytes);
    if (!memory && rt_kernel_has(bytes))
        RT_REFUSE_SIZE(words);
    return memory;
}

/* A copy of a file, as it is now. */
RT_INLINE void *copy_file(size_t bytes, int fd, off_t offset)
{
    char *memory = new_memory(bytes, false, "mmap" RT_MUCH_MEMORY);
    if (!memory)
        return (void *)rt_answer(-ENOMEM);
    for (size_t done = 0; done < bytes;) {
        long got = RT_SYS(SYS_pread64, fd, memory + done, bytes - done, offset + (off_t)done);
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    return memory;
}

RT_INLINE void *map_object(const struct rt_file *f, size_t bytes, int protection, bool shared, off_t offset)
{
    const struct rt_id *id = f->kind == RT_MEMORY ? rt_id_of(RT_OBJECTS, f->number) : NULL;
    if (!id || f->access == O_WRONLY || (shared && protection & PROT_WRITE && f->access == O_RDONLY))
        return (void *)rt_answer(-EACCES);
    if (!id->memory || (uint64_t)offset + bytes > whole_pages(id->bytes))
        return NULL;
    if (shared)
        return (char *)id->memory + offset;
    void *copy = new_memory(bytes, false, "mmap" RT_MUCH_MEMORY);
    return copy ? memcpy(copy, (char *)id->memory + offset, bytes) : (void *)rt_answer(-ENOMEM);
}

RT_INLINE void *map_anonymous(size_t bytes, bool shared)
{
    void *memory = new_memory(bytes, shared, "mmap" RT_MUCH_MEMORY);
    return memory ? memory : (void *)rt_answer(-ENOMEM);
}

/* Memory of a kind that we cannot put back (not to be written, or at a given address, or a low one) is the kernel's, and the group knows. */
RT_INLINE void *group_map(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    enum { BOTH = PROT_READ | PROT_WRITE };
    bool shared = (flags & MAP_TYPE) != MAP_PRIVATE, anonymous = flags & MAP_ANONYMOUS || rt_kind_of(fd) == RT_ZERO;
    const struct rt_file *f = anonymous ? NULL : rt_file_of(fd);
    if (bytes == 0)
        return (void *)rt_answer(-EINVAL);
    if (f && !(flags & MAP_FIXED)) {
        void *memory = map_object(f, bytes, protection, shared, offset);
        if (!memory)
            RT_REFUSE("mmap (of more memory than the object has)");
        return memory;
    }
    if (shared && (flags & MAP_FIXED || (!anonymous && protection & PROT_WRITE)))
        RT_REFUSE(anonymous ? "mmap (of memory to share, at a given address)" : "mmap (of a file to share and write)");
    if (anonymous && shared)
        return map_anonymous(bytes, true);
    if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_32BIT) || protection & PROT_EXEC || (protection & BOTH) != BOTH) {
        rt_kernel_keeps_state("mmap");
        return anonymous ? kernel_map(at, bytes, protection, flags | MAP_ANONYMOUS, -1, 0)
                         : kernel_map(at, bytes, protection, flags, fd, offset);
    }
    return anonymous ? map_anonymous(bytes, false) : copy_file(bytes, fd, offset);
}

RT_INLINE void *map_alone(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    if ((flags & MAP_TYPE) != MAP_PRIVATE && protection & PROT_WRITE) {
        if (flags & MAP_ANONYMOUS)
            RT_NEED_GROUP(mmap);
        RT_REFUSE("mmap (of a file to share and write)");
    }
    return kernel_map(at, bytes, protection, flags, fd, offset);
}

#define MMAP(name, type) \
    RT_FUNCTION(void *, name, (void *at, size_t bytes, int protection, int flags, int fd, type offset), (), \
        DO(kernel_map(at, bytes, protection, flags, fd, offset)), DO(map_alone(at, bytes, protection, flags, fd, offset)), \
        DO(group_map(at, bytes, protection, flags, fd, offset)))
MMAP(mmap, off_t)
MMAP(mmap64, __off64_t)

RT_GROUPED(int, munmap, (void *at, size_t bytes), (at, bytes), KERNEL(SYS_munmap, at, bytes),
    DO(rt_is_shared(at) || rt_heap_unmap(at, bytes) ? 0 : rt_answer(RT_SYS(SYS_munmap, at, bytes))))

RT_INLINE void *move(void *at, size_t bytes, size_t wanted, int flags)
{
    if (rt_is_shared(at) || flags != MREMAP_MAYMOVE)
        RT_REFUSE("mremap (of shared memory or with such flags)");
    void *new = new_memory(wanted, false, "mremap" RT_MUCH_MEMORY);
    if (!new)
        return (void *)rt_answer(-ENOMEM);
    memcpy(new, at, bytes < wanted ? bytes : wanted);
    munmap(at, bytes);
    return new;
}

RT_API void *mremap(void *at, size_t bytes, size_t wanted, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    void *to = va_arg(rest, void *);
    va_end(rest);
    RT_BY_GROUP(void *, mremap, (), DO((void *)rt_answer(RT_SYS(SYS_mremap, at, bytes, wanted, flags, to))),
                DO(move(at, bytes, wanted, flags)))
}

RT_API int mprotect(void *at, size_t bytes, int protection)      /* which matters to a group alone */
{
    enum { BOTH = PROT_READ | PROT_WRITE };
    if ((protection & BOTH) != BOTH)
        rt_kernel_keeps_state("mprotect");
    return (int)rt_answer(RT_SYS(SYS_mprotect, at, bytes, protection));
}

/* ---- memory that is not to be paged out ----
 *
 * Nobody can see whether it is. The kernel would count what the runtime has mapped, too, and bring in all of it. */

static int may_lock(uint64_t bytes)                      /* 0 or a negative errno */
{
    struct rlimit limit = {RLIM_INFINITY, 0};
    RT_SYS(SYS_prlimit64, 0, RLIMIT_MEMLOCK, NULL, &limit);
    if (RT_SYS(SYS_geteuid) == 0 || bytes <= limit.rlim_cur)
        return 0;
    return limit.rlim_cur ? -ENOMEM : -EPERM;
}

static int is_mapped(uint64_t at, size_t bytes)          /* likewise */
{
    uint64_t first = at & ~(uint64_t)(PAGE - 1);
    return (int)RT_SYS(SYS_msync, first, at - first + bytes, MS_ASYNC);
}

static int lock_part(uint64_t at, size_t bytes)
{
    int error = may_lock(bytes);
    return (int)rt_answer(error ? error : is_mapped(at, bytes));
}

static int lock_with_flags(uint64_t at, size_t bytes, unsigned flags)
{
    return flags & ~(unsigned)MLOCK_ONFAULT ? (int)rt_answer(-EINVAL) : lock_part(at, bytes);
}

static int lock_all(int flags)
{
    enum { WHAT = MCL_CURRENT | MCL_FUTURE };
    return (int)rt_answer(!(flags & WHAT) || flags & ~(WHAT | MCL_ONFAULT) ? -EINVAL : may_lock(1));
}

RT_CONTROLLED(int, mlock, (const void *at, size_t bytes), (at, bytes), KERNEL(SYS_mlock, at, bytes), DO(lock_part((uint64_t)at, bytes)))
RT_CONTROLLED(int, mlock2, (const void *at, size_t bytes, unsigned flags), (at, bytes, flags),
              KERNEL(SYS_mlock2, at, bytes, flags), DO(lock_with_flags((uint64_t)at, bytes, flags)))
RT_CONTROLLED(int, munlock, (const void *at, size_t bytes), (at, bytes), KERNEL(SYS_munlock, at, bytes),
              DO((int)rt_answer(is_mapped((uint64_t)at, bytes))))
RT_CONTROLLED(int, mlockall, (int flags), (flags), KERNEL(SYS_mlockall, flags), DO(lock_all(flags)))
RT_CONTROLLED(int, munlockall, (void), (), KERNEL(SYS_munlockall), DO(0))

/* ---- libraries ---- */

/* One that is loaded is unmapped again when memory goes back (snapshot.c); one that is unloaded does not come back. */
static int unload(void *library)
{
    uint32_t before = rt_count_libraries();
    int result = RT_NEXT(dlclose)(library);
    if (rt_count_libraries() < before)
        rt_kernel_keeps_state("dlclose");
    return result;
}

RT_GROUPED(int, dlclose, (void *library), (library), NEXT, DO(unload(library)))
