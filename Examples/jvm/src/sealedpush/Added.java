package sealedpush;

import java.nio.ByteBuffer;
import java.util.*;
import java.util.stream.Collectors;

/**
 * What a caller added under {@code sealed-push}, by rules 6.6 and 6.7. What breaks a rule is absent.
 *
 * @param replaces the message whose place this one takes, or null; see {@link #isOnDevice}
 * @param removes the messages that leave the screen
 * @param bytes of the app's own, or null
 */
public record Added(UUID replaces, List<UUID> removes, byte[] bytes) {
  private static final int MOST_REMOVED = 32;

  static Added read(Content content, boolean signed) {
    Json.Obj added = content.object().object("sealed-push");
    if (!added.isOne("v")) return new Added(null, List.of(), null);
    byte[] bytes = added.string("bytes") == null ? null : Bytes.fromBase64url(added.string("bytes"));
    List<?> removes = signed && added.get("removes") instanceof List<?> elements ? elements : List.of();
    return new Added(signed ? id(added.get("replaces")) : null, removes.stream().limit(MOST_REMOVED).map(Added::id)
        .filter(Objects::nonNull).collect(Collectors.toList()), bytes);
  }

  private static UUID id(Object value) {
    String form = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
    return value instanceof String text && text.matches(form) ? UUID.fromString(text) : null;
  }

  /** Whether a message of this device is the named one: by its ID, or by the one that section 9 (5) derives. */
  public static boolean isOnDevice(UUID named, UUID onDevice, DeviceKeys keys) throws Refused {
    return named.equals(onDevice)
        || keys.keys().stream().anyMatch(key -> derived(named, key.jwk().thumbprint()).equals(onDevice));
  }

  /** The ID that a message to several devices has on the one with this key. */
  public static UUID derived(UUID id, byte[] thumbprint) {
    byte[] digest = Bytes.sha256(Bytes.utf8("sealed-push v1 fan-out"), new byte[1], Bytes.of(id), thumbprint);
    var free = ByteBuffer.wrap(digest);
    return new UUID(free.getLong() & ~0xf000L | 0x8000L, free.getLong() & ~0L >>> 2 | 1L << 63);
  }
}
