/*
 * System calls: stopped by a seccomp filter, answered by the server.  See fault.h.
 *
 * A filter hands the calls of one kind to the server (SECCOMP_RET_USER_NOTIF),
 * so that those that the C library makes inside itself are caught too.  The
 * server lets the kernel go on, or has the call return an error.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "fault.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* The old calls are missing on younger machines, whose C library makes the new ones. */
#ifndef SYS_open
#define SYS_open SYS_openat
#endif
#ifndef SYS_rename
#define SYS_rename SYS_renameat
#endif
#ifndef SYS_unlink
#define SYS_unlink SYS_unlinkat
#endif
#ifndef SYS_mkdir
#define SYS_mkdir SYS_mkdirat
#endif
#ifndef SYS_rmdir
#define SYS_rmdir SYS_unlinkat
#endif
#ifndef SYS_pipe
#define SYS_pipe SYS_pipe2
#endif
#ifndef SYS_fork
#define SYS_fork SYS_clone
#endif
#ifndef SYS_vfork
#define SYS_vfork SYS_clone
#endif
#ifndef SYS_poll
#define SYS_poll SYS_ppoll
#endif
#ifndef SYS_stat
#define SYS_stat SYS_newfstatat
#endif
#ifndef SYS_lstat
#define SYS_lstat SYS_newfstatat
#endif
#ifndef SYS_access
#define SYS_access SYS_faccessat
#endif

static const fault_kind kinds[] = {
    {.name = "write-full",
     .error = ENOSPC,
     .files = true,
     .call = {SYS_write, SYS_writev, SYS_pwrite64, -1}},
    {.name = "write-bad",
     .error = EIO,
     .files = true,
     .call = {SYS_write, SYS_writev, SYS_pwrite64, -1}},
    {.name = "write-short", .partial = true, .call = {SYS_write, -1}},
    {.name = "write-interrupted", .error = EINTR, .call = {SYS_write, SYS_writev, -1}},
    {.name = "read-bad",
     .error = EIO,
     .files = true,
     .call = {SYS_read, SYS_readv, SYS_pread64, -1}},
    {.name = "read-interrupted", .error = EINTR, .call = {SYS_read, SYS_readv, -1}},
    {.name = "open-many", .error = EMFILE, .call = {SYS_open, SYS_openat, -1}},
    {.name = "open-denied", .error = EACCES, .call = {SYS_open, SYS_openat, -1}},
    {.name = "open-gone", .error = ENOENT, .call = {SYS_open, SYS_openat, -1}},
    {.name = "close-bad", .error = EIO, .files = true, .call = {SYS_close, -1}},
    {.name = "sync-bad", .error = EIO, .call = {SYS_fsync, SYS_fdatasync, SYS_ftruncate, -1}},
    {.name = "rename-bad",
     .error = EACCES,
     .call = {SYS_rename, SYS_renameat, SYS_renameat2, SYS_linkat, -1}},
    {.name = "unlink-bad",
     .error = EACCES,
     .leaves = true,
     .call = {SYS_unlink, SYS_unlinkat, SYS_rmdir, -1}},
    {.name = "mkdir-bad", .error = ENOSPC, .call = {SYS_mkdir, SYS_mkdirat, -1}},
    {.name = "stat-bad",
     .error = EIO,
     .call = {SYS_stat, SYS_lstat, SYS_fstat, SYS_newfstatat, SYS_statx, SYS_access, SYS_faccessat,
              -1}},
    {.name = "list-bad", .error = EIO, .call = {SYS_getdents64, -1}},
    {.name = "lock-bad", .error = ENOLCK, .call = {SYS_fcntl, SYS_flock, -1}},
    {.name = "seek-bad", .error = EINVAL, .files = true, .call = {SYS_lseek, -1}},
    {.name = "fork-bad", .error = EAGAIN, .call = {SYS_fork, SYS_vfork, SYS_clone, SYS_clone3, -1}},
    {.name = "exec-bad", .error = ENOMEM, .call = {SYS_execve, -1}},
    {.name = "pipe-bad", .error = EMFILE, .call = {SYS_pipe, SYS_pipe2, -1}},
    {.name = "wait-interrupted",
     .error = EINTR,
     .call = {SYS_wait4, SYS_waitid, SYS_poll, SYS_ppoll, -1}},
    /* Not brk(), which tells a failure by the old address, not by an error. */
    {.name = "map-bad", .error = ENOMEM, .call = {SYS_mmap, -1}},
    {.name = "kill",
     .kills = true,
     .leaves = true,
     .call = {SYS_write, SYS_read, SYS_rename, SYS_openat, SYS_close, SYS_exit_group, -1}},
};

const fault_kind *fault_find_kind(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

void fault_listen(fault_shared *shared, const fault_kind *kind)
{
    enum { MOST = 32 };
    struct sock_filter code[MOST] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
    unsigned short n = 1, calls = 0;
    while (kind->call[calls] >= 0)
        calls++;
    for (unsigned short i = 0; i < calls; i++)
        code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)kind->call[i],
                                                 (unsigned char)(calls - i), 0);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    struct sock_fprog program = {.len = n, .filter = code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        err(99, "no_new_privs");
    long fd =
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    if (fd < 0)
        err(99, "seccomp");
    atomic_store(&shared->listener, (int)fd);
    while (!atomic_load(&shared->go))
        (void)sched_yield();
}

int fault_listener(fault_shared *shared, pid_t pid, int pidfd)
{
    while (atomic_load(&shared->listener) < 0) {
        if (kill(pid, 0) != 0)
            return -1;
        (void)sched_yield();
    }
    int fd = (int)syscall(SYS_pidfd_getfd, pidfd, atomic_load(&shared->listener), 0);
    if (fd < 0)
        err(99, "pidfd_getfd");
    atomic_store(&shared->go, 1);
    return fd;
}

/* What descriptor `fd` of a process is: its file type, 0 where it cannot be told. */
static mode_t type_of(unsigned pid, int fd)
{
    char path[64];
    struct stat is;
    (void)snprintf(path, sizeof path, "/proc/%u/fd/%d", pid, fd);
    return stat(path, &is) == 0 ? is.st_mode & S_IFMT : 0;
}

/* Does this call count?  What goes to standard error never does: it holds the message. */
static bool counts(const fault_shared *shared, const fault_kind *kind,
                   const struct seccomp_notif *call, pid_t pid)
{
    bool own = call->pid == (unsigned)pid;
    if (own != (shared->depth == 0))
        return false;
    int fd = (int)call->data.args[0];
    /* Flags of descriptors cannot fail. */
    if (call->data.nr == SYS_fcntl && call->data.args[1] != F_SETLK &&
        call->data.args[1] != F_SETLKW)
        return false;
    bool on_fd = kind->files || kind->partial || kind->call[0] == SYS_write;
    if (!on_fd || kind->kills)
        return true;
    if (fd == 2 && call->data.nr != SYS_close)
        return false;
    return !kind->files || type_of(call->pid, fd) == S_IFREG;
}

/* Write the first half for the process; how many bytes that were, or -1. */
static ssize_t write_half(const struct seccomp_notif *call)
{
    size_t size = call->data.args[2] / 2;
    char *bytes = malloc(size ? size : 1);
    struct iovec here = {bytes, size}, there = {(void *)(uintptr_t)call->data.args[1], size};
    ssize_t done = -1;
    int pidfd = (int)syscall(SYS_pidfd_open, call->pid, 0);
    int fd = (int)syscall(SYS_pidfd_getfd, pidfd, (int)call->data.args[0], 0);
    if (fd >= 0 && size > 0 &&
        process_vm_readv((pid_t)call->pid, &here, 1, &there, 1, 0) == (ssize_t)size)
        done = write(fd, bytes, size);
    (void)close(fd);
    (void)close(pidfd);
    free(bytes);
    return done;
}

void fault_answer(fault_shared *shared, const fault_kind *kind, int listener, pid_t pid)
{
    struct seccomp_notif call = {0};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0)
        return;
    struct seccomp_notif_resp answer = {.id = call.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    if (counts(shared, kind, &call, pid)) {
        long number = atomic_fetch_add(&shared->seen, 1) + 1;
        bool due = shared->at && (shared->all ? number >= shared->at : number == shared->at);
        ssize_t half = due && kind->partial ? write_half(&call) : -1;
        if (due && kind->kills)
            (void)kill((pid_t)call.pid, SIGKILL);
        else if (half > 0)
            answer = (struct seccomp_notif_resp){.id = call.id, .val = half};
        else if (due && !kind->partial)
            answer = (struct seccomp_notif_resp){.id = call.id, .error = -kind->error};
        if (due)
            atomic_store(&shared->fired, true);
    }
    (void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}
