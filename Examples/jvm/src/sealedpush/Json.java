package sealedpush;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Strict JSON by rule 6.1. A value is an {@link Obj}, a {@code List}, a {@code String}, a {@link Num}, a
 * {@code Boolean} or null. Numbers keep their literal: {@code 1}, {@code 1.0} and {@code -0} are three things.
 */
public final class Json {
  /** An object's members, in their order. */
  public record Obj(Map<String, Object> members) {
    public boolean has(String name) { return members.containsKey(name); }

    public Object get(String name) { return members.get(name); }

    /** The member if it is a string, and otherwise null. */
    public String string(String name) { return get(name) instanceof String text ? text : null; }

    /** The member if it is an object, and otherwise null. */
    public Obj object(String name) { return get(name) instanceof Obj object ? object : null; }

    /** Whether the member is the integer 1, in one digit. */
    public boolean isOne(String name) { return get(name) instanceof Num number && number.literal().equals("1"); }

    /** The member if it is an integer from 0 to 2^53 - 1, written in digits only, and otherwise null. */
    public Long seconds(String name) {
      return get(name) instanceof Num number ? number.natural((1L << 53) - 1) : null;
    }
  }

  /** A number as it was written. */
  public record Num(String literal) {
    /** The value if it is written in digits only and at most {@code greatest}, and otherwise null. */
    public Long natural(long greatest) {
      Long value = literal.startsWith("-") ? null : integer();
      return value == null || value > greatest ? null : value;
    }

    /** The value if it is written as an integer, not as -0, and fits 64 signed bits, and otherwise null. */
    public Long integer() {
      if (literal.equals("-0") || !literal.matches("-?[0-9]+")) return null;
      try {
        return Long.parseLong(literal);
      } catch (NumberFormatException tooLarge) {
        return null;
      }
    }

    /** The double, if it is finite and did not become zero, and otherwise null. */
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

  private static final int GREATEST_DEPTH = 32;

  private final String text;
  private final int greatestDepth;
  private int at = 0;

  private Json(String text, int greatestDepth) {
    this.text = text;
    this.greatestDepth = greatestDepth;
  }

  public static Object parse(byte[] utf8) throws Malformed { return parse(utf8, GREATEST_DEPTH); }

  public static Object parse(byte[] utf8, int greatestDepth) throws Malformed {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException fault) {
      throw new Malformed("not UTF-8", 0);
    }
    var json = new Json(text, greatestDepth);
    Object value = json.value(1);
    json.skipSpace();
    if (json.at != text.length()) throw json.malformed("something follows the value");
    return value;
  }

  /** The object that the bytes are, or null if they are anything else. */
  public static Obj objectOrNull(byte[] utf8) {
    try {
      return parse(utf8) instanceof Obj object ? object : null;
    } catch (Malformed fault) {
      return null;
    }
  }

  private Malformed malformed(String what) { return new Malformed(what, at); }

  private int peek() { return at < text.length() ? text.charAt(at) : -1; }

  private void skipSpace() {
    while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) at += 1;
  }

  private boolean take(char wanted) {
    if (peek() != wanted) return false;
    at += 1;
    return true;
  }

  private Object value(int depth) throws Malformed {
    skipSpace();
    switch (peek()) {
      case '{': return object(depth);
      case '[': return array(depth);
      case '"': return string();
      case 't': return word("true", true);
      case 'f': return word("false", false);
      case 'n': return word("null", null);
      default: return number();
    }
  }

  private Object word(String word, Object value) throws Malformed {
    if (!text.startsWith(word, at)) throw malformed("no value");
    at += word.length();
    return value;
  }

  private Obj object(int depth) throws Malformed {
    if (depth > greatestDepth) throw malformed("too deep");
    at += 1;
    Map<String, Object> members = new LinkedHashMap<>();
    skipSpace();
    if (take('}')) return new Obj(members);
    do {
      skipSpace();
      if (peek() != '"') throw malformed("no name");
      String name = string();
      skipSpace();
      if (!take(':')) throw malformed("no colon");
      if (members.containsKey(name)) throw malformed("a member twice");
      members.put(name, value(depth + 1));
      skipSpace();
    } while (take(','));
    if (!take('}')) throw malformed("the object does not end");
    return new Obj(members);
  }

  private List<Object> array(int depth) throws Malformed {
    if (depth > greatestDepth) throw malformed("too deep");
    at += 1;
    List<Object> elements = new ArrayList<>();
    skipSpace();
    if (take(']')) return elements;
    do {
      elements.add(value(depth + 1));
      skipSpace();
    } while (take(','));
    if (!take(']')) throw malformed("the array does not end");
    return elements;
  }

  private String string() throws Malformed {
    at += 1;
    var result = new StringBuilder();
    for (; ; ) {
      int unit = peek();
      if (unit < 0x20) throw malformed("a string does not end, or has a control character");
      at += 1;
      if (unit == '"') break;
      result.append(unit == '\\' ? escape() : (char) unit);
    }
    for (int index = 0; index < result.length(); index += 1) {
      if (!Character.isSurrogate(result.charAt(index))) continue;
      boolean paired = index + 1 < result.length()
          && Character.isSurrogatePair(result.charAt(index), result.charAt(index + 1));
      if (!paired) throw malformed("an unpaired surrogate");
      index += 1;
    }
    return result.toString();
  }

  private char escape() throws Malformed {
    int letter = peek();
    at += 1;
    int simple = "\"\\/bfnrt".indexOf(letter);
    if (letter != -1 && simple >= 0) return "\"\\/\b\f\n\r\t".charAt(simple);
    if (letter != 'u' || at + 4 > text.length()) throw malformed("not an escape");
    int code = 0;
    for (int end = at + 4; at < end; at += 1) {
      int digit = "0123456789abcdef".indexOf(Character.toLowerCase(text.charAt(at)));
      if (digit < 0 || text.charAt(at) > 'f') throw malformed("not an escape");
      code = 16 * code + digit;
    }
    return (char) code;
  }

  private boolean digits() {
    int start = at;
    while (peek() >= '0' && peek() <= '9') at += 1;
    return at > start;
  }

  private Num number() throws Malformed {
    int start = at;
    take('-');
    if (!take('0') && !digits()) throw malformed("no value");
    if (take('.') && !digits()) throw malformed("not a number");
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      if (!digits()) throw malformed("not a number");
    }
    return new Num(text.substring(start, at));
  }

  /** A string, a whole number, an {@code Obj} or a list as JSON without white space. */
  static String write(Object value) {
    if (value instanceof Obj object) {
      return "{" + String.join(",", object.members().entrySet().stream()
          .map(member -> write(member.getKey()) + ":" + write(member.getValue())).toList()) + "}";
    }
    if (value instanceof List<?> elements) {
      return "[" + String.join(",", elements.stream().map(Json::write).toList()) + "]";
    }
    if (!(value instanceof String string)) return String.valueOf(value instanceof Num number ? number.literal() : value);
    var result = new StringBuilder("\"");
    for (char unit : string.toCharArray()) {
      if (unit == '"' || unit == '\\') result.append('\\').append(unit);
      else if (unit < 0x20) result.append(String.format("\\u%04x", (int) unit));
      else result.append(unit);
    }
    return result.append('"').toString();
  }
}
