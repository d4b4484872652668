package sealedpush;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Answers the questions of {@code sealpush vectors verify --opener}, one on a line. */
public final class Answer {
  private static final int GREATEST_DEPTH = 100;
  private static final Set<String> MEMBERS = Set.of("id", "as", "topic", "now", "pushType", "after", "locked", "lacks",
      "accounts", "accepts", "keys", "senders", "shared", "payload");

  private Answer() {}

  private static Map<String, Object> answer(Json.Obj asked) throws Exception {
    if (!MEMBERS.containsAll(asked.members().keySet())) throw new IllegalArgumentException("a member that is unknown");
    var sets = new ArrayList<>(List.of(KeySet.read(asked.object("keys"), true)));
    if (asked.has("shared")) sets.add(KeySet.read(asked.object("shared"), true));
    boolean isPrivate = asked.object("senders").get("keys") instanceof List<?> keys
        && keys.get(0) instanceof Json.Obj key && key.has("d");
    var senders = Senders.of(KeySet.read(asked.object("senders"), isPrivate));
    var question = Question.of(asked, new KeyFile(sets), senders);
    if (asked.get("as").equals("data")) return data(question, Question.dataType(asked));
    Delivery delivery = question.notification();
    if (delivery instanceof Delivery.Shown shown) return Map.of("opened", shown.message().text());
    return Map.of("reason", ((Delivery.Degraded) delivery).reason().code());
  }

  private static Map<String, Object> data(Question question, PushType type) throws Exception {
    return Question.inFolder(folder -> {
      var opener = question.opener(folder.resolve("memory"));
      try {
        if (question.after() != null) {
          opener.data(Question.object(question.after()), type, question.now(), question.deadline());
        }
        Json.Obj payload = Question.object(question.payload());
        return Map.of("opened", opener.data(payload, type, question.now(), question.deadline()).text());
      } catch (Refused refused) {
        return Map.of("reason", refused.reason().code());
      }
    });
  }

  public static void main(String[] arguments) throws Exception {
    var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      var asked = (Json.Obj) Json.parse(Bytes.utf8(line), GREATEST_DEPTH);
      byte[] answer = Bytes.utf8(Json.write(new Json.Obj(answer(asked))) + "\n");
      System.out.write(answer);
      System.out.flush();
    }
  }
}
