package sealedpush;

import java.util.*;
import java.util.function.Predicate;

/**
 * The content of sections 1 and 6, checked.
 *
 * @param alert empty if there is none; an alert that is a string is its {@code body}
 * @param sound empty if there is none; a sound that is a string is its {@code name}
 */
record Content(Json.Obj object, Json.Obj aps, Json.Obj alert, Json.Obj sound) {
  private static final Set<String> LEVELS = Set.of("passive", "active", "time-sensitive", "critical");

  /** Rules 6.1 to 6.5; {@code accounts} are null if the opener does not know them. */
  static Content read(Plaintext plaintext, Set<String> accounts) throws Refused {
    Json.Obj object;
    try {
      object = Json.parse(plaintext.content()) instanceof Json.Obj parsed ? parsed : Json.Obj.of();
    } catch (Json.Malformed fault) {
      throw new Refused("6.1", Reason.MALFORMED_CONTENT);
    }
    Refused.unless(object.get("aps") instanceof Json.Obj, "6.2", Reason.MALFORMED_CONTENT);
    Json.Obj aps = object.object("aps");
    var content = new Content(object, aps, whole(aps, "alert", "body"), whole(aps, "sound", "name"));
    Refused.unless(content.hasTypes(), "6.3", Reason.MALFORMED_CONTENT);
    Refused.unless(!plaintext.isNotification() || content.hasText(), "6.4", Reason.MALFORMED_CONTENT);
    Refused.unless(accounts == null || content.isFor(accounts), "6.5", Reason.OTHER_ACCOUNT);
    return content;
  }

  /** A member that is an object, or the one member of that object. */
  private static Json.Obj whole(Json.Obj aps, String name, String part) {
    boolean isPart = aps.has(name) && !(aps.get(name) instanceof Json.Obj);
    return isPart ? new Json.Obj(Collections.singletonMap(part, aps.get(name))) : aps.object(name);
  }

  private boolean isFor(Set<String> accounts) {
    return may(object.object("sealed-push"), "account", tag -> tag instanceof String && accounts.contains(tag));
  }

  private boolean hasTypes() {
    double greatest = aps.has("event") ? Double.MAX_VALUE : 1;
    return hasStrings(alert, "title", "subtitle", "body")
        && hasStrings(aps, "category", "thread-id", "target-content-id")
        && (!aps.has("sound") || isSound())
        && may(aps, "badge", value -> value instanceof Json.Num badge && badge.natural(Long.MAX_VALUE) != null)
        && may(aps, "interruption-level", value -> value instanceof String level && LEVELS.contains(level))
        && may(aps, "relevance-score", value -> isNumber(value, greatest));
  }

  private boolean isSound() {
    return isString(sound.get("name"))
        && may(sound, "critical", value -> value instanceof Json.Num number && number.literal().matches("[01]"))
        && may(sound, "volume", value -> isNumber(value, 1));
  }

  /** Whether a member is absent or good. */
  private static boolean may(Json.Obj object, String name, Predicate<Object> good) {
    return !object.has(name) || good.test(object.get(name));
  }

  private static boolean hasStrings(Json.Obj object, String... names) {
    return Arrays.stream(names).allMatch(name -> may(object, name, Content::isString));
  }

  private static boolean isString(Object value) { return value instanceof String text && text.indexOf(0) < 0; }

  private static boolean isNumber(Object value, double greatest) {
    Double real = value instanceof Json.Num number ? number.real() : null;
    return real != null && real >= 0 && real <= greatest;
  }

  private boolean hasText() {
    return List.of("title", "body", "title-loc-key", "loc-key").stream().anyMatch(name -> !alert.text(name).isEmpty());
  }
}
