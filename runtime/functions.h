/* What is done about functions of the C library without a function of the runtime for each: a list for every treatment. The test of
 * doc/functions.md reads them, too. How each works is in refuse.c.
 * SPDX-License-Identifier: MIT */
#ifndef RT_FUNCTIONS_H
#define RT_FUNCTIONS_H

/* They could wait, or let processes act on each other or on the world outside, behind the controller's back. */
#define UNSUPPORTED(X) \
    /* new programs */ \
    X(execl) X(execle) X(execlp) X(execv) X(execve) X(execveat) X(execvp) X(execvpe) X(fexecve) X(posix_spawn) X(posix_spawnp) \
    X(pidfd_spawn) X(pidfd_spawnp) X(system) X(popen) X(pclose) X(_IO_popen) X(_IO_proc_open) X(_IO_proc_close) X(wordexp) \
    /* new processes by other ways than fork */ \
    X(_Fork) X(clone) X(__clone) X(forkpty) X(unshare) X(setns) \
    /* process groups of a terminal */ \
    X(tcsetpgrp) \
    /* timers of the profiler */ \
    X(monstartup) X(__monstartup) X(moncontrol) X(profil) X(sprofil) \
    /* signals by ways that nobody uses any more, or read from a file */ \
    X(sigpause) X(__sigpause) X(signalfd) X(sigvec) X(sigstack) \
    /* waiting for events of the kernel */ \
    X(inotify_init) X(inotify_init1) X(inotify_add_watch) X(inotify_rm_watch) X(fanotify_init) \
    X(fanotify_mark) \
    /* input and output by threads of the C library or by the kernel alone */ \
    X(aio_cancel) X(aio_cancel64) X(aio_error) X(aio_error64) X(aio_fsync) X(aio_fsync64) X(aio_init) X(aio_read) \
    X(aio_read64) X(aio_return) X(aio_return64) X(aio_suspend) X(aio_suspend64) X(aio_write) X(aio_write64) X(lio_listio) \
    X(lio_listio64) X(mq_notify) X(splice) X(tee) X(vmsplice) X(recvmmsg) X(sendmmsg) \
    /* locks on files */ \
    X(flock) X(lockf) X(lockf64) X(lckpwdf) X(ulckpwdf) X(getutent) X(getutent_r) X(getutid) X(getutid_r) X(getutline) \
    X(getutline_r) X(getutxent) X(getutxid) X(getutxline) X(pututline) X(pututxline) X(updwtmp) X(updwtmpx) X(login) X(logout) \
    X(logwtmp) \
    /* fifos, devices, streams and terminals */ \
    X(mkfifo) X(mkfifoat) X(mknod) X(mknodat) X(__xmknod) X(__xmknodat) X(fattach) X(fdetach) X(getmsg) X(getpmsg) X(putmsg) \
    X(putpmsg) X(openpty) X(login_tty) X(posix_openpt) X(getpt) X(grantpt) X(unlockpt) X(ptsname) X(ptsname_r) \
    X(__ptsname_r_chk) X(getpass) X(tcdrain) X(tcflow) X(tcflush) X(tcsendbreak) X(vhangup) \
    /* the network */ \
    X(getaddrinfo_a) X(gai_cancel) X(gai_error) X(gai_suspend) X(gethostbyaddr) \
    X(gethostbyaddr_r) X(gethostent) X(gethostent_r) \
    X(getnetbyaddr) X(getnetbyaddr_r) X(getnetbyname) X(getnetbyname_r) X(getnetent) X(getnetent_r) X(getnetgrent) \
    X(getnetgrent_r) X(setnetgrent) X(innetgr) X(getifaddrs) X(if_indextoname) X(if_nameindex) X(if_nametoindex) \
    X(bindresvport) X(rcmd) X(rcmd_af) X(rexec) X(rexec_af) X(rresvport) X(rresvport_af) X(ruserok) X(ruserok_af) X(iruserok) \
    X(iruserok_af) X(__ivaliduser) X(ruserpass) X(getipv4sourcefilter) X(getsourcefilter) X(setipv4sourcefilter) \
    X(setsourcefilter) X(res_query) X(res_querydomain) X(res_search) X(res_send) X(res_nquery) X(res_nquerydomain) \
    X(res_nsearch) X(res_nsend) X(res_mkquery) X(res_nmkquery) X(__res_query) X(__res_querydomain) X(__res_search) \
    X(__res_send) X(__res_nquery) X(__res_nquerydomain) X(__res_nsearch) X(__res_nsend) X(__res_mkquery) X(__res_nmkquery) \
    X(__res_randomid) \
    /* remote procedure calls */ \
    X(_authenticate) X(authdes_create) X(authdes_getucred) X(authdes_pk_create) X(callrpc) X(clnt_broadcast) X(clnt_create) \
    X(clntraw_create) X(clnttcp_create) X(clntudp_bufcreate) X(clntudp_create) X(clntunix_create) X(get_myaddress) \
    X(getnetname) X(getpublickey) X(getrpcport) X(getsecretkey) X(host2netname) X(key_decryptsession) X(key_decryptsession_pk) \
    X(key_encryptsession) X(key_encryptsession_pk) X(key_gendes) X(key_get_conv) X(key_secretkey_is_set) X(key_setnet) \
    X(key_setsecret) X(netname2host) X(netname2user) X(pmap_getmaps) X(pmap_getport) X(pmap_rmtcall) X(pmap_set) X(pmap_unset) \
    X(registerrpc) X(rtime) X(svc_exit) X(svc_getreq) X(svc_getreq_common) X(svc_getreq_poll) X(svc_getreqset) X(svc_register) \
    X(svc_run) X(svc_sendreply) X(svc_unregister) X(svcerr_auth) X(svcerr_decode) X(svcerr_noproc) X(svcerr_noprog) \
    X(svcerr_progvers) X(svcerr_systemerr) X(svcerr_weakauth) X(svcfd_create) X(svcraw_create) X(svctcp_create) \
    X(svcudp_bufcreate) X(svcudp_create) X(svcudp_enablecache) X(svcunix_create) X(svcunixfd_create) X(user2netname) \
    X(xprt_register) X(xprt_unregister) \
    /* looking into another process */ \
    X(ptrace) X(process_madvise) X(process_mrelease) X(process_vm_readv) X(process_vm_writev) X(pidfd_getfd) X(pidfd_getpid) \
    X(pidfd_open) X(pidfd_send_signal) \
    /* numbers that differ from run to run */ \
    X(get_avphys_pages) X(getloadavg) X(sysinfo) X(ntp_gettime) X(ntp_gettimex) X(vtimes) X(strfry) X(tempnam) X(tmpnam) \
    X(tmpnam_r) \
    /* settings of the machine */ \
    X(acct) X(adjtime) X(adjtimex) X(__adjtimex) X(bdflush) X(chroot) X(clock_adjtime) X(clock_settime) X(create_module) \
    X(delete_module) X(fsconfig) X(fsmount) X(fsopen) X(fspick) X(get_kernel_syms) X(init_module) X(ioperm) X(iopl) X(klogctl) \
    X(mount) X(mount_setattr) X(move_mount) X(nfsservctl) X(ntp_adjtime) X(mseal) X(openat2) X(pthread_gettid_np) \
    X(open_by_handle_at) X(open_tree) X(pivot_root) \
    X(query_module) X(quotactl) X(reboot) X(setdomainname) X(sethostid) X(sethostname) X(settimeofday) X(stime) X(swapoff) \
    X(swapon) X(umount) X(umount2) X(uselib) \
    /* wishes about scheduling that the kernel would keep */ \
    X(sched_setattr) \
    /* registers and memory below the C library */ \
    X(arch_prctl) X(__arch_prctl) X(modify_ldt) X(pkey_alloc) X(__default_morecore)

/* The same, but a process with memory of its own may call them. */
#define UNSUPPORTED_IN_GROUP(X) \
    X(_IO_list_lock) X(pthread_mutex_getprioceiling) X(pthread_mutex_setprioceiling)

/* For plain files only: these arguments (bit 0 is the first) must not be descriptors that are the runtime's own. They are cancellation points. */
#define FOR_PLAIN_FILES_CANCELLABLE(X) \
    X(pread, 1) X(pread64, 1) X(__pread64, 1) X(__pread_chk, 1) X(__pread64_chk, 1) X(preadv, 1) X(preadv2, 1) X(preadv64, 1) \
    X(preadv64v2, 1) X(pwrite, 1) X(pwrite64, 1) X(__pwrite64, 1) X(pwritev, 1) X(pwritev2, 1) X(pwritev64, 1) \
    X(pwritev64v2, 1) X(fsync, 1) X(fdatasync, 1)

/* Likewise; they are none. */
#define FOR_PLAIN_FILES(X) \
    X(syncfs, 1) X(sync_file_range, 1) X(fallocate, 1) X(fallocate64, 1) \
    X(posix_fadvise, 1) X(posix_fadvise64, 1) X(readahead, 1) X(fchmod, 1) X(fchown, 1) X(futimens, 1) X(futimes, 1) \
    X(fpathconf, 1) X(statx, 1) X(fstatfs, 1) X(fstatfs64, 1) X(fstatvfs, 1) X(fstatvfs64, 1) \
    X(isfdtype, 1) X(sockatmark, 1) X(tcgetattr, 1) X(tcsetattr, 1) X(tcgetpgrp, 1) X(tcgetsid, 1) X(ttyname, 1) \
    X(ttyname_r, 1) X(__ttyname_r_chk, 1) X(__fxstatat, 2) X(__fxstatat64, 2) X(sendfile, 3) \
    X(sendfile64, 3) X(backtrace_symbols_fd, 4) X(__backtrace_symbols_fd, 4) X(copy_file_range, 5)

/* For the process that calls only: these arguments are process ids, 0 or its own. */
#define FOR_ITSELF(X) \
    X(sched_rr_get_interval, 1) X(sched_getattr, 1) X(prlimit, 1) X(prlimit64, 1) X(clock_getcpuclockid, 1)

/* They keep and put back the signals that are blocked, of which in a group the kernel knows nothing. */
#define FOR_UNBLOCKED(X) \
    X(getcontext) X(setcontext) X(swapcontext)

/* They read a stream, which is an operation on standard input. The number says which argument is the stream
 * (bit 0 is the first); 0: standard input is meant. */
#define READING(X) \
    X(fgets, 4) X(_IO_fgets, 4) X(fgets_unlocked, 4) X(__fgets_chk, 8) X(__fgets_unlocked_chk, 8) X(gets, 0) X(_IO_gets, 0) \
    X(__gets_chk, 0) X(fgetc, 1) X(fgetc_unlocked, 1) X(getc, 1) X(_IO_getc, 1) X(getc_unlocked, 1) X(getchar, 0) \
    X(getchar_unlocked, 0) X(getw, 1) X(__uflow, 1) X(__underflow, 1) X(fread, 8) X(_IO_fread, 8) \
    X(fread_unlocked, 8) X(__fread_chk, 16) X(__fread_unlocked_chk, 16) X(getline, 4) X(_IO_getline, 1) X(getdelim, 8) \
    X(__getdelim, 8) X(scanf, 0) X(vscanf, 0) X(fscanf, 1) X(vfscanf, 1) X(__isoc99_scanf, 0) X(__isoc99_vscanf, 0) \
    X(__isoc99_fscanf, 1) X(__isoc99_vfscanf, 1) X(__isoc23_scanf, 0) X(__isoc23_vscanf, 0) X(__isoc23_fscanf, 1) \
    X(__isoc23_vfscanf, 1) X(_IO_vfscanf, 1) X(__vfscanf, 1) X(fgetwc, 1) X(fgetwc_unlocked, 1) X(getwc, 1) X(getwc_unlocked, 1) \
    X(getwchar, 0) X(getwchar_unlocked, 0) X(fgetws, 4) X(fgetws_unlocked, 4) X(__fgetws_chk, 8) \
    X(__fgetws_unlocked_chk, 8) X(wscanf, 0) X(vwscanf, 0) X(fwscanf, 1) X(vfwscanf, 1) X(__isoc99_wscanf, 0) \
    X(__isoc99_vwscanf, 0) X(__isoc99_fwscanf, 1) X(__isoc99_vfwscanf, 1) X(__isoc23_wscanf, 0) X(__isoc23_vwscanf, 0) \
    X(__isoc23_fwscanf, 1) X(__isoc23_vfwscanf, 1) X(__wuflow, 1) X(__wunderflow, 1)

/* The same, but where there is nothing to read they do no harm. */
#define MOVING(X) \
    X(ungetc, 2) X(_IO_ungetc, 2) X(ungetwc, 2) X(fseek, 1) X(fseeko, 1) X(fseeko64, 1) X(rewind, 1) X(fsetpos, 1) X(fsetpos64, 1) \
    X(_IO_fsetpos, 1) X(_IO_fsetpos64, 1)

/* They look at a file, or change it, by its name, which is that argument (bit 0 is the first). */
#define LOOKING_AT_NAMES(X) \
    X(access, 1) X(euidaccess, 1) X(eaccess, 1) X(faccessat, 2) X(stat, 1) X(stat64, 1) X(__xstat, 2) X(__xstat64, 2) X(lstat, 1) X(lstat64, 1) \
    X(__lxstat, 2) X(__lxstat64, 2) X(readlink, 1)
#define CHANGING_NAMES(X) \
    X(mkdir, 1) X(mkdirat, 2) X(rmdir, 1) X(unlinkat, 2) X(rename, 2) X(renameat, 8) X(renameat2, 8) X(link, 2) X(linkat, 8) X(symlink, 2) \
    X(symlinkat, 4) X(truncate, 1) X(truncate64, 1)

/* They leave something in the kernel that does not go back with memory. */
#define KEPT_BY_KERNEL(X) \
    X(chdir) X(fchdir) X(umask) X(ulimit) X(vlimit) X(setrlimit) X(setrlimit64) X(setuid) X(setgid) X(seteuid) \
    X(setegid) X(setreuid) X(setregid) X(setresuid) X(setresgid) X(setfsuid) X(setfsgid) X(setgroups) X(initgroups) X(capset) \
    X(personality) X(madvise) X(posix_madvise) X(pkey_mprotect) X(remap_file_pages) X(opendir) \
    X(fdopendir) X(fts_open) X(fts64_open) X(ftw) X(ftw64) X(nftw) X(nftw64) X(setmntent) \
    X(__setmntent) X(getpwent) X(getpwent_r) X(getgrent) X(getgrent_r) X(getspent) X(getspent_r) X(getsgent) X(getsgent_r) \
    X(getaliasent) X(getaliasent_r) X(getprotoent) X(getprotoent_r) X(getservent) X(getservent_r) X(getrpcent) X(getrpcent_r) \
    X(getfsent) X(getttyent)

/* Words for the world outside, which nobody in the program hears: not sent. */
#define NOT_SENT(X) \
    X(openlog) X(closelog) X(syslog) X(vsyslog) X(__syslog_chk) X(__vsyslog_chk)

/* Other names of functions of the runtime. */
#define OTHER_NAMES(X) \
    X(__close, close) X(__connect, connect) X(__dup2, dup2) X(__fcntl, fcntl) X(__fork, fork) X(__vfork, vfork) \
    X(__getpid, getpid) X(__gettimeofday, gettimeofday) X(__lseek, lseek) X(llseek, lseek64) X(__nanosleep, nanosleep) \
    X(__open, open) X(__open64, open64) X(__pipe, pipe) X(__poll, poll) X(__read, read) X(__write, write) X(__select, select) \
    X(__send, send) X(__sigaction, sigaction) X(__wait, wait) X(__waitpid, waitpid) X(__sched_yield, sched_yield) \
    X(__sbrk, sbrk) X(ssignal, signal) X(gsignal, raise) X(__sigsuspend, sigsuspend) X(_IO_fopen, fopen) X(_IO_fdopen, fdopen) \
    X(_IO_flockfile, flockfile) X(_IO_ftrylockfile, ftrylockfile) X(_IO_funlockfile, funlockfile) X(freopen64, freopen) \
    X(posix_fallocate64, posix_fallocate) X(cfree, free) X(__pthread_key_create, pthread_key_create) \
    X(__pthread_once, pthread_once) X(pthread_mutex_consistent_np, pthread_mutex_consistent) \
    X(__pthread_mutex_init, pthread_mutex_init) X(__pthread_mutex_destroy, pthread_mutex_destroy) \
    X(__pthread_mutex_lock, pthread_mutex_lock) X(__pthread_mutex_trylock, pthread_mutex_trylock) \
    X(__pthread_mutex_unlock, pthread_mutex_unlock) X(__pthread_rwlock_init, pthread_rwlock_init) \
    X(__pthread_rwlock_destroy, pthread_rwlock_destroy) X(__pthread_rwlock_rdlock, pthread_rwlock_rdlock) \
    X(__pthread_rwlock_tryrdlock, pthread_rwlock_tryrdlock) X(__pthread_rwlock_wrlock, pthread_rwlock_wrlock) \
    X(__pthread_rwlock_trywrlock, pthread_rwlock_trywrlock) X(__pthread_rwlock_unlock, pthread_rwlock_unlock) \
    X(__getpgid, getpgid) X(__setpgid, setpgid) X(__bsd_getpgrp, getpgid) X(__sched_getparam, sched_getparam) \
    X(__sched_getscheduler, sched_getscheduler) X(__sched_setscheduler, sched_setscheduler) X(pthread_atfork, __register_atfork)

#endif
