package sealedpush;

import java.util.*;
import java.util.function.UnaryOperator;

/**
 * What is shown, by sections 6 and 8.
 *
 * @param sound null for none
 * @param badge null if it stays as it is
 * @param level {@code passive}, {@code active}, {@code time-sensitive} or {@code critical}
 * @param userInfo strings, booleans, longs, doubles, lists and maps
 */
public record Notification(String title, String subtitle, String body, Sound sound, Long badge, String category,
    String threadIdentifier, String targetContentIdentifier, String level, double relevanceScore,
    Map<String, Object> userInfo) {
  /** A sound; {@code volume} only if it is critical, and then null if the content does not say. */
  public record Sound(String name, boolean critical, Double volume) {}

  static Notification opened(Content content, String envelopeKey, boolean signed, UnaryOperator<String> localize) {
    Json.Obj aps = content.aps();
    Json.Obj alert = aps.object("alert");
    String level = aps.has("interruption-level") ? aps.string("interruption-level") : "active";
    boolean breaksThrough = level.equals("time-sensitive") || level.equals("critical");
    Double score = aps.get("relevance-score") instanceof Json.Num number ? number.real() : Double.valueOf(0);
    return new Notification(
        text(alert, "title", "title-loc-key", localize),
        text(alert, "subtitle", "subtitle-loc-key", localize),
        alert == null ? orEmpty(aps.string("alert")) : text(alert, "body", "loc-key", localize),
        sound(aps.get("sound"), signed),
        aps.get("badge") instanceof Json.Num badge ? badge.integer() : null,
        orEmpty(aps.string("category")), orEmpty(aps.string("thread-id")), aps.string("target-content-id"),
        breaksThrough && !signed ? "active" : level, score, userInfo(content, envelopeKey));
  }

  /** What is shown in place of a message that did not open. */
  static Notification degraded(Json.Obj payload, String envelopeKey, Reason reason, Placeholder placeholder) {
    Json.Obj aps = payload.object("aps");
    Json.Obj alert = aps == null ? null : aps.object("alert");
    String outer = placeholder.title() != null || alert == null ? null : alert.string("title");
    String title = placeholder.title() != null ? placeholder.title() : orEmpty(outer);
    String text = placeholder.text(reason);
    boolean isSubtitle = reason == Reason.DEADLINE && !title.isEmpty();
    var sound = aps != null && aps.get("sound") != null ? new Sound("default", false, null) : null;
    String envelope = payload.string(envelopeKey);
    boolean fits = envelope != null && Bytes.utf8(envelope).length <= Envelope.LONGEST;
    return new Notification(title, isSubtitle ? text : "", isSubtitle ? "" : text, sound, null, "", "", null,
        "active", 0, fits ? Map.of(envelopeKey, envelope) : Map.of());
  }

  /** The content without the reserved members, as an app gets it. */
  static Map<String, Object> userInfo(Content content, String envelopeKey) {
    var members = new LinkedHashMap<>(content.object().members());
    members.remove("sealed-push");
    members.remove(envelopeKey);
    return map(members);
  }

  private static String orEmpty(String text) { return text == null ? "" : text; }

  private static String text(Json.Obj alert, String name, String key, UnaryOperator<String> localize) {
    if (alert == null) return "";
    String text = orEmpty(alert.string(name));
    String toLocalize = orEmpty(alert.string(key));
    return text.isEmpty() && !toLocalize.isEmpty() ? localize.apply(toLocalize) : text;
  }

  private static Sound sound(Object sound, boolean signed) {
    if (sound instanceof String name) return new Sound(name, false, null);
    if (!(sound instanceof Json.Obj object)) return null;
    boolean critical = object.isOne("critical") && signed;
    Double volume = critical && object.get("volume") instanceof Json.Num number ? number.real() : null;
    return new Sound(object.string("name"), critical, volume);
  }

  private static Map<String, Object> map(Map<String, Object> members) {
    var result = new LinkedHashMap<String, Object>();
    members.forEach((name, value) -> {
      if (value != null) result.put(name, property(value));
    });
    return result;
  }

  private static Object property(Object value) {
    if (value instanceof Json.Obj object) return map(object.members());
    if (value instanceof List<?> elements) {
      var result = new ArrayList<Object>();
      for (Object element : elements) if (element != null) result.add(property(element));
      return result;
    }
    if (!(value instanceof Json.Num number)) return value;
    Object held = number.integer();
    if (held == null && !number.literal().matches("-?[0-9]+")) held = number.real();
    return held == null ? number.literal() : held;
  }
}
