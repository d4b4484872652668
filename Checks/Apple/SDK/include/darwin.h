// What the package uses of the C library. The types are those of arm64; the numbers do not matter to a typecheck.
// Pages: https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/ and below it
// man2/NAME.2.html for a system call, man3/NAME.3.html for a function of the library.
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
typedef size_t rsize_t;
typedef int errno_t;

// man2/intro.2.html
int *__error(void);
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define ENXIO 6
#define EACCES 13
#define EEXIST 17
#define ENOTDIR 20
#define EISDIR 21
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define ELOOP 62

// man2/open.2.html, fcntl.2.html; open, openat and fcntl are variadic, so Darwin.swift has them.
#define O_RDONLY 0x0
#define O_WRONLY 0x1
#define O_NONBLOCK 0x4
#define O_NOFOLLOW 0x100
#define O_CREAT 0x200
#define O_EXCL 0x800
#define O_DIRECTORY 0x100000
#define O_CLOEXEC 0x1000000
#define F_FULLFSYNC 51
#define F_BARRIERFSYNC 85

// man2/read.2.html, write.2.html, close.2.html, fsync.2.html, chmod.2.html
ssize_t read(int, void *_Null_unspecified, size_t);
ssize_t write(int, const void *_Null_unspecified, size_t);
int close(int);
int fsync(int);
int fchmod(int, mode_t);

// man2/flock.2.html
#define LOCK_EX 0x2
#define LOCK_NB 0x4
#define LOCK_UN 0x8
int flock(int, int);

// man2/poll.2.html
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

// man2/access.2.html, rename.2.html, link.2.html, unlink.2.html, mkdir.2.html, rmdir.2.html
#define X_OK 1
#define W_OK 2
#define AT_EACCESS 0x10
int faccessat(int, const char *_Null_unspecified, int, int);
int renameat(int, const char *_Null_unspecified, int, const char *_Null_unspecified);
int linkat(int, const char *_Null_unspecified, int, const char *_Null_unspecified, int);
int unlinkat(int, const char *_Null_unspecified, int);
int mkdir(const char *_Null_unspecified, mode_t);
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
#endif
