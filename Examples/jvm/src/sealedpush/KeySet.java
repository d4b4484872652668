package sealedpush;

import java.util.*;
import java.util.stream.Collectors;

/**
 * A JWK Set, by section 3, or by section 11 if it has a role.
 *
 * @param role {@code root} or {@code identity}, or null
 * @param serial of a private set with a role: the last serial that it issued
 */
public record KeySet(List<Jwk> keys, String role, long serial) {
  private static final int MOST_KEYS = 16_384;

  boolean isSenders() { return role == null && keys.get(0).kind() == Jwk.Kind.ED25519; }

  /** Whether the keys are a device's key pairs. Shared keys are neither these nor senders. */
  boolean isDevice() { return role == null && !isSenders() && keys.get(0).kind() != Jwk.Kind.SHARED; }

  boolean hasActive() { return keys.stream().anyMatch(Jwk::isActive); }

  /** Reads a set, or returns null if it is refused as a whole. */
  public static KeySet read(Json.Obj set, boolean isPrivate) {
    if (set == null || (set.has("v") && !set.isOne("v"))) return null;
    String role = set.string("role");
    if (set.has("role") && !"root".equals(role) && !"identity".equals(role)) return null;
    if (!(set.get("keys") instanceof List<?> elements)) return null;
    if (elements.isEmpty() || elements.size() > MOST_KEYS) return null;
    var keys = new ArrayList<Jwk>();
    var ids = new HashSet<String>();
    var uses = new HashSet<String>();
    var active = new HashSet<Suite>();
    for (Object element : elements) {
      Jwk key = element instanceof Json.Obj jwk ? Jwk.read(jwk, isPrivate) : null;
      if (key == null || !ids.add(Bytes.base64url(key.keyID()))) return null;
      uses.add(key.kind() == Jwk.Kind.SHARED ? "shared" : key.kind().use());
      if (key.kind() != Jwk.Kind.ED25519 && key.isActive() && !active.add(key.kind().suite)) return null;
      keys.add(key);
    }
    if (uses.size() > 1 || (role != null && !uses.contains("sig"))) return null;
    Long serial = role != null && isPrivate && set.has("serial") ? set.seconds("serial") : Long.valueOf(0);
    return serial == null ? null : new KeySet(List.copyOf(keys), role, serial);
  }

  /** The private set, as its file has it. */
  byte[] privateText() { return Bytes.utf8(Json.write(object(true)) + "\n"); }

  Json.Obj object(boolean withSecrets) {
    return Json.Obj.of("v", 1L, "role", role, "serial", role != null && withSecrets ? serial : null,
        "keys", keys.stream().map(key -> key.object(withSecrets)).collect(Collectors.toList()));
  }
}
