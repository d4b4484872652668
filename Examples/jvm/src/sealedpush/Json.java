package sealedpush;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.*;
import java.util.*;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Strict JSON by rule 6.1. A value is an {@link Obj}, a {@code List}, a {@code String}, a {@link Num}, a
 * {@code Boolean} or null. Numbers keep their literal: {@code 1}, {@code 1.0} and {@code -0} are three things.
 */
public final class Json {
  /** An object's members, in their order. */
  public record Obj(Map<String, Object> members) {
    /** Members in this order: names and values in turn. A null is left out. */
    static Obj of(Object... namesAndValues) {
      var members = new LinkedHashMap<String, Object>();
      for (int at = 0; at < namesAndValues.length; at += 2) {
        if (namesAndValues[at + 1] != null) members.put((String) namesAndValues[at], namesAndValues[at + 1]);
      }
      return new Obj(members);
    }

    public boolean has(String name) { return members.containsKey(name); }

    public Object get(String name) { return members.get(name); }

    /** The member if it is a string, and otherwise null. */
    public String string(String name) { return get(name) instanceof String text ? text : null; }

    /** The member if it is a string, and otherwise an empty one. */
    public String text(String name) { return string(name) == null ? "" : string(name); }

    /** The member if it is an object, and otherwise an empty one. */
    public Obj object(String name) { return get(name) instanceof Obj object ? object : of(); }

    /** Whether the member is the integer 1, in one digit. */
    public boolean isOne(String name) { return get(name) instanceof Num number && number.literal().equals("1"); }

    /** The member if it is an integer from 0 to 2^53 - 1, written in digits only, and otherwise null. */
    public Long seconds(String name) { return get(name) instanceof Num number ? number.natural((1L << 53) - 1) : null; }
  }

  /** A number as it was written. */
  public record Num(String literal) {
    /** The value if it is written in digits only and at most {@code greatest}, and otherwise null. */
    public Long natural(long greatest) {
      Long value = literal.startsWith("-") ? null : integer();
      return value == null || value > greatest ? null : value;
    }

    /** Whether it is written as an integer. */
    boolean isWhole() { return literal.matches("-?[0-9]+"); }

    /** The value if it is written as an integer, not as -0, and fits 64 signed bits, and otherwise null. */
    public Long integer() {
      BigInteger value = isWhole() && !literal.equals("-0") ? new BigInteger(literal) : null;
      return value == null || value.bitLength() > 63 ? null : Long.valueOf(value.longValue());
    }

    /** The double if it is finite and did not become zero, and otherwise null. */
    public Double real() {
      double value = Double.parseDouble(literal);
      boolean zero = literal.split("[eE]")[0].matches("[-0.]+");
      return Double.isInfinite(value) || (value == 0 && !zero) ? null : Double.valueOf(value);
    }
  }

  /** The text is not JSON by rule 6.1. */
  public static final class Malformed extends Exception {
    private static final long serialVersionUID = 1;

    Malformed(String what, int at) { super(what + ", at character " + at); }
  }

  private interface Element {
    void read() throws Malformed;
  }

  private static final int GREATEST_DEPTH = 32;
  private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?");
  private static final Pattern CODE = Pattern.compile("u[0-9A-Fa-f]{4}");

  private final String text;
  private int depthLeft;
  private int at = 0;

  private Json(String text, int greatestDepth) {
    this.text = text;
    depthLeft = greatestDepth;
  }

  public static Object parse(byte[] utf8) throws Malformed { return parse(utf8, GREATEST_DEPTH); }

  static Object parse(byte[] utf8, int greatestDepth) throws Malformed {
    try {
      var json = new Json(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString(), greatestDepth);
      Object value = json.value();
      json.skipSpace();
      json.unless(json.at == json.text.length(), "something follows the value");
      return value;
    } catch (CharacterCodingException fault) {
      throw new Malformed("not UTF-8", 0);
    }
  }

  /** The object that the bytes are, or null if they are anything else. */
  public static Obj objectOrNull(byte[] utf8) {
    try {
      return parse(utf8) instanceof Obj object ? object : null;
    } catch (Malformed fault) {
      return null;
    }
  }

  private void unless(boolean holds, String what) throws Malformed {
    if (!holds) throw new Malformed(what, at);
  }

  private int peek() { return at < text.length() ? text.charAt(at) : -1; }

  /** Takes white space, and then this, if it is there. */
  private boolean take(String word) {
    skipSpace();
    if (!text.startsWith(word, at)) return false;
    at += word.length();
    return true;
  }

  private String take(Pattern pattern, String what) throws Malformed {
    var matcher = pattern.matcher(text).region(at, text.length());
    unless(matcher.lookingAt(), what);
    at = matcher.end();
    return matcher.group();
  }

  private void skipSpace() {
    while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) at += 1;
  }

  private Object value() throws Malformed {
    if (take("{")) return object();
    if (take("[")) return array();
    if (take("\"")) return string();
    if (take("true")) return true;
    if (take("false")) return false;
    return take("null") ? null : new Num(take(NUMBER, "no value"));
  }

  private Obj object() throws Malformed {
    Map<String, Object> members = new LinkedHashMap<>();
    elements("}", () -> {
      unless(take("\""), "no name");
      String name = string();
      unless(take(":"), "no colon");
      unless(!members.containsKey(name), "a member twice");
      members.put(name, value());
    });
    return new Obj(members);
  }

  private List<Object> array() throws Malformed {
    List<Object> values = new ArrayList<>();
    elements("]", () -> values.add(value()));
    return values;
  }

  private void elements(String end, Element element) throws Malformed {
    unless(depthLeft > 0, "too deep");
    depthLeft -= 1;
    if (!take(end)) {
      do element.read(); while (take(","));
      unless(take(end), "no end");
    }
    depthLeft += 1;
  }

  private String string() throws Malformed {
    var result = new StringBuilder();
    for (int unit = peek(); unit != '"'; unit = peek()) {
      unless(unit >= 0x20, "a string does not end, or has a control character");
      at += 1;
      result.append(unit == '\\' ? escape() : (char) unit);
    }
    at += 1;
    unless(result.codePoints().noneMatch(point -> point >= 0xd800 && point <= 0xdfff), "an unpaired surrogate");
    return result.toString();
  }

  private char escape() throws Malformed {
    int simple = "\"\\/bfnrt".indexOf(peek());
    if (simple < 0) return (char) Integer.parseInt(take(CODE, "not an escape").substring(1), 16);
    at += 1;
    return "\"\\/\b\f\n\r\t".charAt(simple);
  }

  /** A string, a whole number, an {@code Obj} or a list as JSON without white space. */
  static String write(Object value) {
    if (value instanceof Obj object) {
      return object.members().entrySet().stream().map(member -> write(member.getKey()) + ":" + write(member.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    }
    if (value instanceof List<?> elements) {
      return elements.stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
    }
    if (value instanceof Num number) return number.literal();
    if (!(value instanceof String string)) return String.valueOf(value);
    var result = new StringBuilder("\"");
    for (char unit : string.toCharArray()) {
      if (unit == '"' || unit == '\\') result.append('\\').append(unit);
      else if (unit < 0x20) result.append(String.format("\\u%04x", (int) unit));
      else result.append(unit);
    }
    return result.append('"').toString();
  }
}
