package sealedpush;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What is shown, in the form of the vectors: for comparison, and as JSON. */
final class Shown {
  private Shown() {}

  static Map<String, Object> of(Notification shown) {
    var members = new LinkedHashMap<String, Object>();
    members.put("title", shown.title());
    members.put("subtitle", shown.subtitle());
    members.put("body", shown.body());
    members.put("sound", shown.sound() == null ? null : sound(shown.sound()));
    members.put("badge", shown.badge());
    members.put("category", shown.category());
    members.put("threadIdentifier", shown.threadIdentifier());
    members.put("targetContentIdentifier", shown.targetContentIdentifier());
    members.put("interruptionLevel", shown.level());
    members.put("relevanceScore", shown.relevanceScore());
    members.put("userInfo", shown.userInfo());
    return members;
  }

  /** What an opener heeds of what a caller added. */
  static Map<String, Object> of(Added added) {
    var members = new LinkedHashMap<String, Object>();
    if (added.replaces() != null) members.put("replaces", added.replaces().toString());
    if (!added.removes().isEmpty()) members.put("removes", added.removes().stream().map(UUID::toString).toList());
    if (added.bytes() != null) members.put("bytes", Bytes.base64url(added.bytes()));
    return members;
  }

  static Json.Obj json(Notification shown) { return (Json.Obj) json(of(shown)); }

  static Json.Obj json(Added added) { return (Json.Obj) json(of(added)); }

  private static Object json(Object value) {
    if (value instanceof List<?> elements) return elements.stream().map(Shown::json).toList();
    if (!(value instanceof Map<?, ?> map)) return value;
    var members = new LinkedHashMap<String, Object>();
    map.forEach((name, member) -> members.put((String) name, json(member)));
    return new Json.Obj(members);
  }

  private static Object sound(Notification.Sound sound) {
    if (!sound.critical()) return sound.name();
    var members = new LinkedHashMap<String, Object>(Map.of("name", sound.name(), "critical", 1L));
    if (sound.volume() != null) members.put("volume", sound.volume());
    return members;
  }

  /** Whether the value is what the vector says, number types included. */
  static boolean equal(Object expected, Object actual) {
    if (expected instanceof Json.Obj object) {
      return actual instanceof Map<?, ?> map && map.keySet().equals(object.members().keySet())
          && map.keySet().stream().allMatch(name -> equal(object.get((String) name), map.get(name)));
    }
    if (expected instanceof List<?> elements) {
      if (!(actual instanceof List<?> others) || others.size() != elements.size()) return false;
      for (int at = 0; at < elements.size(); at += 1) if (!equal(elements.get(at), others.get(at))) return false;
      return true;
    }
    if (!(expected instanceof Json.Num number)) return expected == null ? actual == null : expected.equals(actual);
    if (actual instanceof Long whole) return number.literal().equals(whole.toString());
    return actual instanceof Double real && real.equals(Double.valueOf(number.literal()));
  }
}
