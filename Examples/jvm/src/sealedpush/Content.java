package sealedpush;

import java.util.List;
import java.util.Set;

/** The content of sections 1 and 6, checked. */
record Content(Json.Obj object, Json.Obj aps) {
  static final Set<String> LEVELS = Set.of("passive", "active", "time-sensitive", "critical");

  /** Rules 6.1 to 6.4. */
  static Content read(byte[] bytes, boolean isNotification) throws Refused {
    Json.Obj object;
    try {
      object = Json.parse(bytes) instanceof Json.Obj parsed ? parsed : null;
    } catch (Json.Malformed fault) {
      throw new Refused("6.1", Reason.MALFORMED_CONTENT);
    }
    Refused.unless(object != null && object.object("aps") != null, "6.2", Reason.MALFORMED_CONTENT);
    var content = new Content(object, object.object("aps"));
    Refused.unless(content.hasTypes(), "6.3", Reason.MALFORMED_CONTENT);
    Refused.unless(!isNotification || content.hasText(), "6.4", Reason.MALFORMED_CONTENT);
    return content;
  }

  /** Rule 6.5. */
  void checkAccount(Set<String> accounts) throws Refused {
    Json.Obj added = object.object("sealed-push");
    boolean isOthers = accounts != null && added != null && added.has("account")
        && !(added.get("account") instanceof String tag && accounts.contains(tag));
    Refused.unless(!isOthers, "6.5", Reason.OTHER_ACCOUNT);
  }

  private boolean hasTypes() {
    Object alert = aps.get("alert");
    if (aps.has("alert") && !(alert instanceof Json.Obj ? hasStrings((Json.Obj) alert, "title", "subtitle", "body")
        : isString(alert))) return false;
    if (!hasStrings(aps, "category", "thread-id", "target-content-id")) return false;
    Object sound = aps.get("sound");
    if (aps.has("sound") && !(sound instanceof Json.Obj ? isSound((Json.Obj) sound) : isString(sound))) return false;
    if (aps.has("badge") && !(aps.get("badge") instanceof Json.Num badge && badge.natural(Long.MAX_VALUE) != null)) {
      return false;
    }
    if (aps.has("interruption-level") && !(aps.get("interruption-level") instanceof String level
        && LEVELS.contains(level))) return false;
    return !aps.has("relevance-score") || isNumber(aps.get("relevance-score"), aps.has("event") ? Double.MAX_VALUE : 1);
  }

  private static boolean isString(Object value) { return value instanceof String text && text.indexOf(0) < 0; }

  private static boolean hasStrings(Json.Obj object, String... names) {
    return List.of(names).stream().allMatch(name -> !object.has(name) || isString(object.get(name)));
  }

  private static boolean isNumber(Object value, double greatest) {
    Double real = value instanceof Json.Num number ? number.real() : null;
    return real != null && real >= 0 && real <= greatest;
  }

  private static boolean isSound(Json.Obj sound) {
    boolean critical = !sound.has("critical")
        || (sound.get("critical") instanceof Json.Num number && number.literal().matches("[01]"));
    return isString(sound.get("name")) && critical && (!sound.has("volume") || isNumber(sound.get("volume"), 1));
  }

  private boolean hasText() {
    if (aps.get("alert") instanceof String body) return !body.isEmpty();
    Json.Obj alert = aps.object("alert");
    return alert != null && List.of("title", "body", "title-loc-key", "loc-key").stream()
        .anyMatch(name -> alert.string(name) != null && !alert.string(name).isEmpty());
  }
}
