// Sends COUNT pushes with java.net.http: one first, and then a hundred at a time.
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

class Send {
  static byte[] file(String variable) throws Exception { return Files.readAllBytes(Path.of(System.getenv(variable))); }

  static String part(byte[] bytes) { return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes); }

  static String token() throws Exception {
    var pem = new String(file("P8")).replaceAll("-----[^-]+-----|\\s", "");
    var key = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
    var claims = "{\"iss\":\"FGHIJ67890\",\"iat\":" + System.currentTimeMillis() / 1000 + "}";
    var text = part("{\"alg\":\"ES256\",\"kid\":\"ABCDE12345\"}".getBytes()) + "." + part(claims.getBytes());
    var signature = Signature.getInstance("SHA256withECDSAinP1363Format");
    signature.initSign(key);
    signature.update(text.getBytes());
    return text + "." + part(signature.sign());
  }

  static SSLContext trust() throws Exception {
    var roots = KeyStore.getInstance(KeyStore.getDefaultType());
    roots.load(null);
    roots.setCertificateEntry(
        "root", CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(file("ROOT"))));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(roots);
    var context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  public static void main(String[] arguments) throws Exception {
    var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).sslContext(trust()).build();
    var address = "https://localhost:" + System.getenv("PORT") + "/3/device/";
    var tokens = System.getenv("TOKENS").split(" ");
    var bearer = "bearer " + token();
    var room = new Semaphore(1);
    java.util.function.IntFunction<CompletableFuture<Boolean>> push = number -> {
      room.acquireUninterruptibly();
      var request = HttpRequest.newBuilder(URI.create(address + tokens[number % tokens.length]))
          .header("authorization", bearer).header("apns-topic", "com.example.app").header("apns-push-type", "alert")
          .POST(HttpRequest.BodyPublishers.ofString("{\"aps\":{\"alert\":\"push " + number + "\"}}")).build();
      return client.sendAsync(request, HttpResponse.BodyHandlers.discarding())
          .thenApply(answer -> answer.statusCode() == 200).whenComplete((answer, failure) -> room.release());
    };
    int count = Integer.parseInt(System.getenv("COUNT"));
    var first = push.apply(0).join();
    room.release(99);
    var others = IntStream.range(1, count).mapToObj(push).toList();
    var accepted = others.stream().filter(CompletableFuture::join).count() + (first ? 1 : 0);
    System.out.println(accepted + " accepted");
  }
}
