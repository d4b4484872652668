package sealedpush;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Answers the questions of {@code sealpush vectors verify --all}, one on a line: those about what a phone does. */
public final class Answer {
  private static final int GREATEST_DEPTH = 100;
  private static final Set<String> MEMBERS = Set.of("id", "as", "topic", "now", "pushType", "after", "locked", "lacks",
      "accounts", "accepts", "keys", "senders", "shared", "shown", "payload");
  private static final Json.Obj UNSUPPORTED = Json.Obj.of("unsupported", true);

  private Answer() {}

  private static Json.Obj answer(Json.Obj asked) throws Exception {
    try {
      return switch (asked.string("as")) {
        case "notification", "data" -> message(asked);
        case "senders" -> result(Verdict.senders(asked, Verdict.roots(asked, asked)));
        case "set-message" -> result(Verdict.messageUnderSet(asked, Verdict.roots(asked, asked), keys(asked)));
        case "request" -> request(asked);
        case "memory" -> result(Verdict.memory(asked, question(asked)));
        case "set" -> set(asked);
        default -> UNSUPPORTED;
      };
    } catch (Refused refused) {
      return Json.Obj.of("reason", refused.reason().code());
    }
  }

  private static Json.Obj result(String result) { return Json.Obj.of("result", result); }

  private static DeviceKeys keys(Json.Obj asked) throws Refused {
    var sets = new ArrayList<>(List.of(KeySet.read(asked.object("keys"), true)));
    if (asked.has("shared")) sets.add(KeySet.read(asked.object("shared"), true));
    return new KeyFile(sets);
  }

  private static Question question(Json.Obj asked) throws Refused {
    return Question.of(asked, keys(asked), Senders.of(KeySet.read(asked.object("senders"), false)));
  }

  private static Json.Obj message(Json.Obj asked) throws Exception {
    if (!MEMBERS.containsAll(asked.members().keySet())) throw new IllegalArgumentException("a member that is unknown");
    if (Json.objectOrNull(Bytes.utf8(asked.string("payload"))) == null) return Json.Obj.of("refused", "it is no object");
    Question question = question(asked);
    if (asked.get("as").equals("data")) {
      return Json.Obj.of("opened", question.data(Question.named(PushType.values(), asked.string("pushType"))).text());
    }
    Delivery delivery = question.notification();
    boolean isShown = asked.has("shown");
    if (delivery instanceof Delivery.Degraded none) {
      return Json.Obj.of("reason", none.reason().code(), "shown", isShown ? Shown.json(none.notification()) : null);
    }
    var shown = (Delivery.Shown) delivery;
    return Json.Obj.of("opened", shown.message().text(), "shown", isShown ? Shown.json(shown.notification()) : null,
        "heeds", Shown.json(shown.message().added()));
  }

  private static Json.Obj request(Json.Obj asked) throws Exception {
    Question question = question(asked);
    return Question.inFolder(folder -> {
      Verdict.request(asked, question, question.opener(folder));
      return result("answered");
    });
  }

  private static Json.Obj set(Json.Obj asked) {
    KeySet set = Verdict.set(asked);
    if (set == null) return result("refused");
    return Verdict.takesMLKEM(asked, set) ? UNSUPPORTED : result("accepted");
  }

  public static void main(String[] arguments) throws Exception {
    var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      var asked = (Json.Obj) Json.parse(Bytes.utf8(line), GREATEST_DEPTH);
      System.out.write(Bytes.utf8(Json.write(answer(asked)) + "\n"));
      System.out.flush();
    }
  }
}
