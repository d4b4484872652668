package sealedpush;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.nio.file.attribute.PosixFilePermissions;

/** A file that is written whole or not at all, for its owner alone. */
final class AtomicFile {
  private AtomicFile() {}

  static void write(Path file, byte[] bytes) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    Path written = Files.createTempFile(folder, "." + file.getFileName(), ".part", mode);
    try {
      try (var channel = FileChannel.open(written, StandardOpenOption.WRITE)) {
        var rest = ByteBuffer.wrap(bytes);
        while (rest.hasRemaining()) channel.write(rest);
        channel.force(true);
      }
      Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(written);
    }
    try (var channel = FileChannel.open(folder)) {
      channel.force(true);
    }
  }
}
