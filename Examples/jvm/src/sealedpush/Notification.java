package sealedpush;

import java.util.*;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

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

  /** A message that may have been shown before makes no sound. */
  static Notification opened(Content content, Opened message, UnaryOperator<String> localize) {
    Json.Obj aps = content.aps();
    boolean isSigned = message.sender() != null;
    boolean isFirst = message.freshness() == ReplayMemory.Freshness.FIRST;
    String level = aps.has("interruption-level") ? aps.string("interruption-level") : "active";
    boolean breaksThrough = level.equals("time-sensitive") || level.equals("critical");
    return new Notification(
        text(content.alert(), "title", "title-loc-key", localize),
        text(content.alert(), "subtitle", "subtitle-loc-key", localize),
        text(content.alert(), "body", "loc-key", localize),
        isFirst && aps.has("sound") ? sound(content.sound(), isSigned) : null,
        aps.get("badge") instanceof Json.Num badge ? badge.integer() : null,
        aps.text("category"), aps.text("thread-id"), aps.string("target-content-id"),
        breaksThrough && !isSigned ? "active" : level,
        aps.get("relevance-score") instanceof Json.Num score ? score.real() : 0, message.userInfo());
  }

  /** What is shown in place of a message that did not open. */
  static Notification degraded(Json.Obj payload, String envelopeKey, String fixedTitle, String text, boolean late) {
    Json.Obj aps = payload.object("aps");
    String title = fixedTitle != null ? fixedTitle : aps.object("alert").text("title");
    boolean isSubtitle = late && !title.isEmpty();
    var sound = aps.get("sound") != null ? new Sound("default", false, null) : null;
    String envelope = payload.string(envelopeKey);
    boolean fits = envelope != null && Bytes.utf8(envelope).length <= Envelope.LONGEST;
    return new Notification(title, isSubtitle ? text : "", isSubtitle ? "" : text, sound, null, "", "", null,
        "active", 0, fits ? Map.of(envelopeKey, envelope) : Map.of());
  }

  private static String text(Json.Obj alert, String name, String key, UnaryOperator<String> localize) {
    boolean isKey = alert.text(name).isEmpty() && !alert.text(key).isEmpty();
    return isKey ? localize.apply(alert.text(key)) : alert.text(name);
  }

  private static Sound sound(Json.Obj sound, boolean isSigned) {
    boolean critical = sound.isOne("critical") && isSigned;
    Double volume = critical && sound.get("volume") instanceof Json.Num number ? number.real() : null;
    return new Sound(sound.string("name"), critical, volume);
  }

  /** The content without the reserved members, as an app gets it. */
  static Map<String, Object> userInfo(Content content, String envelopeKey) {
    var members = new LinkedHashMap<>(content.object().members());
    members.remove("sealed-push");
    members.remove(envelopeKey);
    return map(members);
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
      return elements.stream().filter(Objects::nonNull).map(Notification::property).collect(Collectors.toList());
    }
    if (!(value instanceof Json.Num number)) return value;
    Object held = number.integer();
    if (!number.isWhole()) held = number.real();
    return held == null ? number.literal() : held;
  }
}
