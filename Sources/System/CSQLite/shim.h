#include <sqlite3.h>
#include <stddef.h>

// Swift imports neither SQLITE_TRANSIENT, a cast to a function pointer, nor variadic functions.

/// Binds bytes of UTF-8, which SQLite copies.
static inline int sqlite_bind_utf8(sqlite3_stmt *statement, int index, const char *bytes, size_t count) {
  return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Keeps SQL that a database file contains, such as triggers and views, from doing harm.
static inline void sqlite_distrust(sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

/// The system's error behind a connection's last error; 0 if it is not known.
static inline int sqlite_errno(sqlite3 *database) {
  int error = sqlite3_system_errno(database);
  sqlite3_file *file = 0;
  // If the write-ahead log cannot be written, only its file object has the error.
  if (error == 0 && sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK &&
      file != 0 && file->pMethods != 0)
    file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error);
  return error;
}
