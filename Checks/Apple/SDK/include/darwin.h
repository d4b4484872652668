// The part of the C library that the package uses. The types are those of arm64; the numbers do not matter to a
// typecheck. Pages: https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/ and
// below it man2/NAME.2.html for a system call, man3/NAME.3.html for a function of the library.
#ifndef STUB_DARWIN
#define STUB_DARWIN
#include <stddef.h>
#include <stdint.h>

typedef long ssize_t;
typedef uint16_t mode_t;
typedef uint16_t nlink_t;
typedef int32_t dev_t;
typedef uint64_t ino_t;
typedef uint32_t uid_t;
typedef uint32_t gid_t;
typedef int64_t off_t;
typedef long time_t;
typedef unsigned int nfds_t;
typedef uint32_t socklen_t;
typedef uint8_t sa_family_t;
typedef uint16_t in_port_t;
typedef unsigned int useconds_t;
typedef int32_t pid_t;
typedef size_t rsize_t;
typedef int errno_t;

// man3/sysctlbyname.3.html
int sysctlbyname(const char *name, void *old, size_t *old_size, void *new_value, size_t new_size);

// man3/notify.3.html
#define NOTIFY_STATUS_OK 0
#define NOTIFY_TOKEN_INVALID -1
uint32_t notify_register_check(const char *name, int *token);
uint32_t notify_set_state(int token, uint64_t state);
uint32_t notify_get_state(int token, uint64_t *state);
uint32_t notify_cancel(int token);

// man2/intro.2.html
int *__error(void);
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define ENXIO 6
#define EBADF 9
#define EACCES 13
#define EEXIST 17
#define ENOTDIR 20
#define EISDIR 21
#define EFBIG 27
#define EMFILE 24
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define EPIPE 32
#define ELOOP 62
#define ENAMETOOLONG 63

// man2/open.2.html, fcntl.2.html; open, openat and fcntl are variadic, so Darwin.swift has them.
#define O_RDONLY 0x0
#define O_WRONLY 0x1
#define O_RDWR 0x2
#define O_APPEND 0x8
#define O_TRUNC 0x400
#define O_NOCTTY 0x20000
#define O_NONBLOCK 0x4
#define O_NOFOLLOW 0x100
#define O_CREAT 0x200
#define O_EXCL 0x800
#define O_DIRECTORY 0x100000
#define O_CLOEXEC 0x1000000
#define O_EXEC 0x40000000
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define FD_CLOEXEC 1
#define F_FULLFSYNC 51
#define F_BARRIERFSYNC 85

// man2/read.2.html, write.2.html, close.2.html, fsync.2.html, chmod.2.html
ssize_t read(int, void *_Null_unspecified, size_t);
ssize_t pread(int, void *_Null_unspecified, size_t, off_t);
ssize_t write(int, const void *_Null_unspecified, size_t);
int close(int);
int fsync(int);
int fchmod(int, mode_t);
int fchmodat(int, const char *_Null_unspecified, mode_t, int);
int chmod(const char *_Null_unspecified, mode_t);
mode_t umask(mode_t);

// man2/lseek.2.html, truncate.2.html, pipe.2.html, dup.2.html, symlink.2.html, mkfifo.2.html
#define SEEK_SET 0
#define SEEK_CUR 1
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
off_t lseek(int, off_t, int);
int ftruncate(int, off_t);
int truncate(const char *_Null_unspecified, off_t);
int chown(const char *_Null_unspecified, uid_t, gid_t);
int pipe(int *_Null_unspecified);
int dup(int);
int dup2(int, int);
ssize_t readlinkat(int, const char *_Null_unspecified, char *_Null_unspecified, size_t);
char *_Null_unspecified getcwd(char *_Null_unspecified, size_t);
int symlink(const char *_Null_unspecified, const char *_Null_unspecified);
int link(const char *_Null_unspecified, const char *_Null_unspecified);
int mkfifo(const char *_Null_unspecified, mode_t);
int rename(const char *_Null_unspecified, const char *_Null_unspecified);
int access(const char *_Null_unspecified, int);
int chdir(const char *_Null_unspecified);
int lchown(const char *_Null_unspecified, uid_t, gid_t);

// man2/flock.2.html
#define LOCK_EX 0x2
#define LOCK_NB 0x4
#define LOCK_UN 0x8
int flock(int, int);

// man2/poll.2.html
#define POLLIN 0x1
#define POLLOUT 0x4
struct pollfd { int fd; short events; short revents; };
int poll(struct pollfd *_Null_unspecified, nfds_t, int);

// man2/nanosleep.2.html; man3/clock_gettime.3.html, time.3.html
struct timespec { time_t tv_sec; long tv_nsec; };
typedef enum { _CLOCK_REALTIME = 0 } clockid_t;
int nanosleep(const struct timespec *_Null_unspecified, struct timespec *_Null_unspecified);
int clock_gettime(clockid_t, struct timespec *_Null_unspecified);
time_t time(time_t *_Null_unspecified);

// man2/stat.2.html
struct stat {
  dev_t st_dev;
  mode_t st_mode;
  nlink_t st_nlink;
  ino_t st_ino;
  uid_t st_uid;
  gid_t st_gid;
  dev_t st_rdev;
  struct timespec st_atimespec, st_mtimespec, st_ctimespec, st_birthtimespec;
  off_t st_size;
};
int stat(const char *_Null_unspecified, struct stat *_Null_unspecified);
int lstat(const char *_Null_unspecified, struct stat *_Null_unspecified);
int fstat(int, struct stat *_Null_unspecified);
int fstatat(int, const char *_Null_unspecified, struct stat *_Null_unspecified, int);

// man2/access.2.html, rename.2.html, link.2.html, unlink.2.html, mkdir.2.html, rmdir.2.html
#define X_OK 1
#define W_OK 2
#define AT_EACCESS 0x10
#define AT_SYMLINK_NOFOLLOW 0x20
int faccessat(int, const char *_Null_unspecified, int, int);
int renameat(int, const char *_Null_unspecified, int, const char *_Null_unspecified);
int linkat(int, const char *_Null_unspecified, int, const char *_Null_unspecified, int);
int unlink(const char *_Null_unspecified);
int unlinkat(int, const char *_Null_unspecified, int);
int mkdir(const char *_Null_unspecified, mode_t);
int mkdirat(int, const char *_Null_unspecified, mode_t);
int rmdir(const char *_Null_unspecified);

// man3/mktemp.3.html, getenv.3.html
char *_Null_unspecified mkdtemp(char *_Null_unspecified);
char *_Null_unspecified getenv(const char *_Null_unspecified);

// man3/directory.3.html; man5/dir.5.html
struct dirent {
  ino_t d_ino;
  uint64_t d_seekoff;
  uint16_t d_reclen;
  uint16_t d_namlen;
  uint8_t d_type;
  char d_name[1024];
};
typedef struct { int fd; } DIR;
DIR *_Null_unspecified fdopendir(int);
struct dirent *_Null_unspecified readdir(DIR *_Null_unspecified);
int closedir(DIR *_Null_unspecified);

// man2/getuid.2.html
uid_t geteuid(void);
gid_t getegid(void);
int getgroups(int, gid_t *_Null_unspecified);
uid_t getuid(void);
int seteuid(uid_t);

// man3/inet.3.html
#define AF_INET6 30
struct in_addr { uint32_t s_addr; };
struct in6_addr { union { uint8_t bytes[16]; uint32_t words[4]; } __u6_addr; };
int inet_aton(const char *_Null_unspecified, struct in_addr *_Null_unspecified);
int inet_pton(int, const char *_Null_unspecified, void *_Null_unspecified);

// man3/sysconf.3.html, getpagesize.3.html
#define _SC_NPROCESSORS_ONLN 58
long sysconf(int);
int getpagesize(void);

// man2/mmap.2.html, mprotect.2.html, mlock.2.html, munmap.2.html
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_PRIVATE 0x2
#define MAP_ANON 0x1000
void *_Null_unspecified mmap(void *_Null_unspecified, size_t, int, int, int, off_t);
int munmap(void *_Null_unspecified, size_t);
int mprotect(void *_Null_unspecified, size_t, int);
int mlock(const void *_Null_unspecified, size_t);
int munlock(const void *_Null_unspecified, size_t);

// man3/memset_s.3.html
errno_t memset_s(void *_Null_unspecified, rsize_t, int, rsize_t);

// man3/strftime.3.html, ctime.3.html
struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  char *_Null_unspecified tm_zone;
};
struct tm *_Null_unspecified gmtime_r(const time_t *_Null_unspecified, struct tm *_Null_unspecified);
size_t strftime(
    char *_Null_unspecified, size_t, const char *_Null_unspecified, const struct tm *_Null_unspecified);

// man3/strdup.3.html, strerror.3.html, malloc.3.html, realpath.3.html, string.3.html
char *_Null_unspecified strdup(const char *_Null_unspecified);
char *_Null_unspecified strerror(int);
size_t strlen(const char *_Null_unspecified);
void *_Null_unspecified malloc(size_t);
void free(void *_Null_unspecified);
char *_Null_unspecified realpath(const char *_Null_unspecified, char *_Null_unspecified);
int memcmp(const void *_Null_unspecified, const void *_Null_unspecified, size_t);

// man3/exit.3.html, man2/_exit.2.html; man3/setenv.3.html
void exit(int) __attribute__((noreturn));
void _exit(int) __attribute__((noreturn));
int setenv(const char *_Null_unspecified, const char *_Null_unspecified, int);
int unsetenv(const char *_Null_unspecified);
// man7/environ.7.html
char *_Null_unspecified *_Null_unspecified *_Null_unspecified _NSGetEnviron(void);

// man3/fopen.3.html, fread.3.html, fclose.3.html, fflush.3.html
typedef struct __sFILE { int _file; } FILE;
FILE *_Null_unspecified fopen(const char *_Null_unspecified, const char *_Null_unspecified);
size_t fread(void *_Null_unspecified, size_t, size_t, FILE *_Null_unspecified);
int fclose(FILE *_Null_unspecified);
int fflush(FILE *_Null_unspecified);

// man3/ttyname.3.html, man4/termios.4.html, man3/tcsetattr.3.html, man4/tty.4.html
typedef unsigned long tcflag_t;
typedef unsigned char cc_t;
typedef unsigned long speed_t;
struct termios {
  tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
  cc_t c_cc[20];
  speed_t c_ispeed, c_ospeed;
};
#define ECHO 0x8
#define TCSANOW 0
#define TCSAFLUSH 2
int isatty(int);
int tcgetattr(int, struct termios *_Null_unspecified);
int tcsetattr(int, int, const struct termios *_Null_unspecified);

// man2/getrlimit.2.html
typedef uint64_t rlim_t;
struct rlimit { rlim_t rlim_cur, rlim_max; };
#define RLIMIT_FSIZE 1
#define RLIMIT_CORE 4
#define RLIMIT_NOFILE 8
int getrlimit(int, struct rlimit *_Null_unspecified);
int setrlimit(int, const struct rlimit *_Null_unspecified);

// man3/signal.3.html, man2/sigaction.2.html, man3/sigsetops.3.html, man2/kill.2.html, man3/raise.3.html. SIG_DFL and SIG_IGN
// are Swift's own.
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGBUS 10
#define SIGSEGV 11
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGSTOP 17
#define SIGTSTP 18
#define SIGCONT 19
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGUSR1 30
#define SIGUSR2 31
#define SIG_UNBLOCK 2
#define SA_RESTART 0x2
#define SA_RESETHAND 0x4
typedef void (*sig_t)(int);
typedef uint32_t sigset_t;
struct __siginfo;
union __sigaction_u {
  void (*_Null_unspecified __sa_handler)(int);
  void (*_Null_unspecified __sa_sigaction)(int, struct __siginfo *_Null_unspecified, void *_Null_unspecified);
};
struct sigaction { union __sigaction_u __sigaction_u; sigset_t sa_mask; int sa_flags; };
_Null_unspecified sig_t signal(int, _Null_unspecified sig_t);
int sigaction(int, const struct sigaction *_Null_unspecified, struct sigaction *_Null_unspecified);
int sigemptyset(sigset_t *_Null_unspecified);
int sigaddset(sigset_t *_Null_unspecified, int);
int pthread_sigmask(int, const sigset_t *_Null_unspecified, sigset_t *_Null_unspecified);
int kill(pid_t, int);
int raise(int);

// man2/posix_spawn.2.html, man3/posix_spawn_file_actions_init.3.html, posix_spawn_file_actions_adddup2.3.html;
// man2/wait.2.html, getpid.2.html
typedef void *posix_spawn_file_actions_t;
typedef void *posix_spawnattr_t;
int posix_spawn_file_actions_init(_Null_unspecified posix_spawn_file_actions_t *_Null_unspecified);
int posix_spawn_file_actions_destroy(_Null_unspecified posix_spawn_file_actions_t *_Null_unspecified);
int posix_spawn_file_actions_adddup2(_Null_unspecified posix_spawn_file_actions_t *_Null_unspecified, int, int);
int posix_spawnp(
    pid_t *_Null_unspecified, const char *_Null_unspecified,
    const _Null_unspecified posix_spawn_file_actions_t *_Null_unspecified,
    const _Null_unspecified posix_spawnattr_t *_Null_unspecified, char *_Null_unspecified const *_Null_unspecified,
    char *_Null_unspecified const *_Null_unspecified);
pid_t waitpid(pid_t, int *_Null_unspecified, int);
pid_t getpid(void);

// man3/dlsym.3.html
void *_Null_unspecified dlsym(void *_Null_unspecified, const char *_Null_unspecified);

// man3/usleep.3.html; man2/sched_yield
int usleep(useconds_t);
int sched_yield(void);

// man2/socket.2.html, bind.2.html, listen.2.html, accept.2.html, connect.2.html, getsockname.2.html, setsockopt.2.html,
// recv.2.html, send.2.html; man4/inet.4.html
#define AF_INET 2
#define SOCK_STREAM 1
#define SOL_SOCKET 0xffff
#define SO_SNDTIMEO 0x1005
#define SO_RCVTIMEO 0x1006
#define SO_NOSIGPIPE 0x1022
#define SHUT_WR 1
#define SHUT_RDWR 2
struct timeval { time_t tv_sec; int32_t tv_usec; };
struct sockaddr { uint8_t sa_len; sa_family_t sa_family; char sa_data[14]; };
struct sockaddr_in {
  uint8_t sin_len;
  sa_family_t sin_family;
  in_port_t sin_port;
  struct in_addr sin_addr;
  char sin_zero[8];
};
int socket(int, int, int);
int bind(int, const struct sockaddr *_Null_unspecified, socklen_t);
int listen(int, int);
int accept(int, struct sockaddr *_Null_unspecified, socklen_t *_Null_unspecified);
int connect(int, const struct sockaddr *_Null_unspecified, socklen_t);
int getsockname(int, struct sockaddr *_Null_unspecified, socklen_t *_Null_unspecified);
int setsockopt(int, int, int, const void *_Null_unspecified, socklen_t);
int shutdown(int, int);
ssize_t recv(int, void *_Null_unspecified, size_t, int);
ssize_t send(int, const void *_Null_unspecified, size_t, int);

// man3/openpty.3.html
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };
int openpty(
    int *_Null_unspecified, int *_Null_unspecified, char *_Null_unspecified, struct termios *_Null_unspecified,
    struct winsize *_Null_unspecified);

// man3/posix_spawnattr_init.3.html, posix_spawnattr_setflags.3.html, posix_spawn_file_actions_addopen.3.html
#define POSIX_SPAWN_SETSIGDEF 0x4
#define POSIX_SPAWN_SETSIGMASK 0x8
#define WNOHANG 1
int posix_spawnattr_init(_Null_unspecified posix_spawnattr_t *_Null_unspecified);
int posix_spawnattr_destroy(_Null_unspecified posix_spawnattr_t *_Null_unspecified);
int posix_spawnattr_setflags(_Null_unspecified posix_spawnattr_t *_Null_unspecified, short);
int posix_spawnattr_setsigmask(_Null_unspecified posix_spawnattr_t *_Null_unspecified, const sigset_t *_Null_unspecified);
int posix_spawnattr_setsigdefault(
    _Null_unspecified posix_spawnattr_t *_Null_unspecified, const sigset_t *_Null_unspecified);
int posix_spawn_file_actions_addopen(
    _Null_unspecified posix_spawn_file_actions_t *_Null_unspecified, int, const char *_Null_unspecified, int, mode_t);
int posix_spawn(
    pid_t *_Null_unspecified, const char *_Null_unspecified,
    const _Null_unspecified posix_spawn_file_actions_t *_Null_unspecified,
    const _Null_unspecified posix_spawnattr_t *_Null_unspecified, char *_Null_unspecified const *_Null_unspecified,
    char *_Null_unspecified const *_Null_unspecified);
int sigfillset(sigset_t *_Null_unspecified);
#endif
