package sealedpush;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * A JWK Set, by section 3, or by section 11 if it has a role.
 *
 * @param role {@code root} or {@code identity}, or null
 * @param serial of a private set with a role: the last serial that it issued
 */
public record KeySet(List<Jwk> keys, String role, long serial) {
  private static final int MOST_KEYS = 16_384;

  /** Whether the keys are senders'; otherwise, if there is no role, they are a device's, or shared ones. */
  boolean isSenders() { return role == null && keys.get(0).suite() == null; }

  boolean isDevice() { return role == null && keys.get(0).suite() != null; }

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
    var kinds = new HashSet<Integer>();
    var active = new HashSet<Suite>();
    for (Object element : elements) {
      Jwk key = element instanceof Json.Obj jwk ? Jwk.read(jwk, isPrivate) : null;
      if (key == null || !ids.add(Bytes.base64url(key.keyID()))) return null;
      kinds.add(key.suite() == null ? 0 : key.suite() == Suite.SHARED_CHACHAPOLY ? 2 : 1);
      if (key.suite() != null && key.isActive() && !active.add(key.suite())) return null;
      keys.add(key);
    }
    if (kinds.size() > 1 || (role != null && !kinds.contains(0))) return null;
    Long serial = role != null && isPrivate && set.has("serial") ? set.seconds("serial") : Long.valueOf(0);
    return serial == null ? null : new KeySet(List.copyOf(keys), role, serial);
  }

  /** The set as JSON. */
  Json.Obj object(boolean withSecrets) {
    var members = new LinkedHashMap<String, Object>();
    members.put("v", 1L);
    if (role != null) members.put("role", role);
    if (role != null && withSecrets) members.put("serial", serial);
    members.put("keys", keys.stream().map(key -> key.object(withSecrets)).toList());
    return new Json.Obj(members);
  }
}
