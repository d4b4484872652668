package sealedpush;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.nio.file.attribute.*;
import java.util.Set;
import java.util.concurrent.locks.*;

/**
 * A file that no other thread or process changes until it is closed. It is for its owner alone, and is written whole or
 * not at all, so whoever only reads it needs no lock.
 */
final class LockedFile implements AutoCloseable {
  /** Two seconds, in nanoseconds. */
  static final long MOST_WAIT = 2_000_000_000;
  /** A process locks a file once, whichever of its threads wants it. */
  private static final ReentrantLock THREADS = new ReentrantLock();
  private static final FileAttribute<?> OWNERS_ALONE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path file;
  private FileChannel lock;

  /** Waits until others have closed the file; throws if that takes more nanoseconds than {@code wait}. */
  LockedFile(Path file, long wait) throws IOException {
    this.file = file.toAbsolutePath();
    long until = System.nanoTime() + wait;
    while (!THREADS.tryLock()) pause(until);
    try {
      var options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      lock = FileChannel.open(beside(".lock"), options, OWNERS_ALONE);
      while (lock.tryLock() == null) pause(until);
    } catch (IOException | RuntimeException fault) {
      close();
      throw fault;
    }
  }

  private static void pause(long until) throws IOException {
    if (System.nanoTime() - until > 0 || Thread.currentThread().isInterrupted()) throw new IOException("it is locked");
    LockSupport.parkNanos(5_000_000);
  }

  private Path beside(String suffix) { return file.resolveSibling(file.getFileName() + suffix); }

  boolean exists() { return Files.exists(file); }

  byte[] read() throws IOException { return Files.readAllBytes(file); }

  /** A part that a crash left behind, perhaps of a secret, goes with the next write. */
  void write(byte[] bytes) throws IOException {
    Path written = beside(".part");
    Files.deleteIfExists(written);
    try {
      Files.write(Files.createFile(written, OWNERS_ALONE), bytes, StandardOpenOption.SYNC);
      Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(written);
    }
    try (var channel = FileChannel.open(file.getParent())) {
      channel.force(true);
    }
  }

  @Override public void close() throws IOException {
    try {
      if (lock != null) lock.close();
    } finally {
      THREADS.unlock();
    }
  }
}
