package sealedpush.android;

import com.google.firebase.messaging.FirebaseMessagingService;
import com.google.firebase.messaging.RemoteMessage;
import java.time.Duration;
import sealedpush.*;

/** What an app extends: it gets each message of FCM, and has some seconds for it. */
public abstract class PushService extends FirebaseMessagingService {
  /** Android ends the process after ten seconds. */
  private static final Duration TIME = Duration.ofSeconds(8);

  protected abstract Opener opener();

  protected abstract Enroller enroller(String token);

  protected abstract DeviceKeys keys();

  protected abstract Screen screen();

  /** Data for the app. Only a first message should have consequences that last. */
  protected abstract void received(Opened data);

  /** Hands an enrolment to the backend: by WorkManager, because it needs the network and a login. */
  protected abstract void enrol(String enrolment);

  @Override public void onMessageReceived(RemoteMessage message) {
    var deadline = Deadline.in(TIME);
    boolean isUrgent = message.getPriority() == RemoteMessage.PRIORITY_HIGH;
    Delivery delivery = opener().fcm(message.getData(), now(), deadline);
    if (delivery instanceof Delivery.Shown shown) {
      screen().show(shown, keys());
    } else if (delivery instanceof Delivery.Data data) {
      received(data.message());
    } else if (delivery instanceof Delivery.Request asked) {
      answer(asked.request());
    } else if (delivery instanceof Delivery.Degraded degraded && degraded.notification() != null && isUrgent) {
      screen().show(degraded);  // FCM counts urgent messages that show nothing, and then delivers later ones late.
    }
  }

  @Override public void onNewToken(String token) { enrol(token, null); }

  private void answer(ProofRequest request) {
    String token = token();
    try {
      request.check(enroller(token));
      if (!request.isDuplicate()) enrol(token, request.proof());
    } catch (Refused notOurs) {
      // Another backend's, another identity's, or of a key that is not enrolled: there is no answer.
    }
  }

  /** The token of the last {@link #onNewToken}, which the app keeps. */
  protected abstract String token();

  private void enrol(String token, String proof) {
    try {
      enrol(enroller(token).enrolment(now(), null, proof));
    } catch (java.io.IOException | java.security.GeneralSecurityException | Refused later) {
      // The app enrols at its next launch, too.
    }
  }

  private static long now() { return System.currentTimeMillis() / 1000; }
}
