#include <sqlite3.h>
#include <stddef.h>

// A destructor that is no function, and functions with variable arguments, are not imported.

/// Binds bytes of UTF-8, which SQLite copies.
static inline int sqlite_bind_utf8(sqlite3_stmt *statement, int index, const char *bytes, size_t count) {
  return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Lets SQL that came with a file do no harm.
static inline void sqlite_distrust(sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

/// The system's error behind the last one of a connection; 0 if it is not known.
static inline int sqlite_errno(sqlite3 *database) {
  int error = sqlite3_system_errno(database);
  sqlite3_file *file = 0;
  // Where the log cannot be written, only its file still knows.
  if (error == 0 && sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK &&
      file != 0 && file->pMethods != 0)
    file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error);
  return error;
}
