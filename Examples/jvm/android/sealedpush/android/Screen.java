package sealedpush.android;

import android.app.Notification;
import android.app.NotificationChannel;
import android.app.NotificationManager;
import android.content.Context;
import android.media.AudioAttributes;
import android.net.Uri;
import android.service.notification.StatusBarNotification;
import java.util.*;
import sealedpush.Added;
import sealedpush.Delivery;
import sealedpush.DeviceKeys;
import sealedpush.Opened;
import sealedpush.Refused;

/**
 * Shows what was opened, and what stands in place of what was not. A notification's tag is the message's ID.
 * Android 8 and later take level and sound from a channel, which cannot be changed once the person has seen it: so
 * each pair of a level and a sound has a channel of its own.
 */
public class Screen {
  private static final int ID = 0;
  private static final String QUIET = "quiet";

  private final Context context;
  private final NotificationManager manager;
  private final int icon;

  public Screen(Context context, int icon) {
    this.context = context;
    this.manager = context.getSystemService(NotificationManager.class);
    this.icon = icon;
  }

  public void show(Delivery.Shown shown, DeviceKeys keys) {
    Opened message = shown.message();
    for (UUID removed : message.added().removes()) {
      for (String tag : tags(removed, keys)) manager.cancel(tag, ID);
    }
    List<String> replaced = message.added().replaces() == null ? List.of() : tags(message.added().replaces(), keys);
    String tag = replaced.isEmpty() ? message.messageID().toString() : replaced.get(0);
    manager.notify(tag, ID, build(shown.notification()));
  }

  /** Shows the placeholder of a push that did not open. */
  public void show(Delivery.Degraded degraded) {
    manager.notify("sealedpush." + degraded.reason().code(), ID, build(degraded.notification()));
  }

  /** An app may override this to add an intent, actions by the category, or a picture. */
  protected Notification.Builder builder(sealedpush.Notification shown, String channel) {
    return new Notification.Builder(context, channel).setSmallIcon(icon).setContentTitle(shown.title())
        .setSubText(shown.subtitle().isEmpty() ? null : shown.subtitle()).setContentText(shown.body())
        .setStyle(new Notification.BigTextStyle().bigText(shown.body())).setVisibility(Notification.VISIBILITY_PRIVATE)
        .setAutoCancel(true);
  }

  private Notification build(sealedpush.Notification shown) {
    var builder = builder(shown, channel(shown));
    if (shown.badge() != null) builder.setNumber((int) Math.min(shown.badge(), Integer.MAX_VALUE));
    if (!shown.threadIdentifier().isEmpty()) builder.setGroup(shown.threadIdentifier());
    return builder.build();
  }

  /** A channel's ID. The person sees its name in the settings. */
  private String channel(sealedpush.Notification shown) {
    boolean aloud = shown.sound() != null;
    String sound = aloud ? shown.sound().name() : QUIET;
    String id = "sealedpush." + shown.level() + "." + sound;
    var channel = new NotificationChannel(id, channelName(shown.level(), sound), importance(shown.level(), aloud));
    if (!aloud) {
      channel.setSound(null, null);
    } else if (!sound.equals("default")) {
      var attributes = new AudioAttributes.Builder().setUsage(AudioAttributes.USAGE_NOTIFICATION).build();
      String file = sound.contains(".") ? sound.substring(0, sound.lastIndexOf('.')) : sound;
      channel.setSound(Uri.parse("android.resource://" + context.getPackageName() + "/raw/" + file), attributes);
    }
    if (shown.level().equals("critical")) channel.setBypassDnd(true);  // Only if the person has allowed it.
    manager.createNotificationChannel(channel);  // One that exists stays as it is.
    return id;
  }

  /** An app overrides this for the person's language. */
  protected String channelName(String level, String sound) { return level + ", " + sound; }

  private static int importance(String level, boolean aloud) {
    boolean breaksThrough = level.equals("time-sensitive") || level.equals("critical");
    if (level.equals("passive")) return NotificationManager.IMPORTANCE_LOW;
    if (breaksThrough) return NotificationManager.IMPORTANCE_HIGH;
    return aloud ? NotificationManager.IMPORTANCE_DEFAULT : NotificationManager.IMPORTANCE_LOW;
  }

  /** The tags on the screen that are the named message, by its ID or by the one that its sealer derived. */
  private List<String> tags(UUID named, DeviceKeys keys) {
    var tags = new ArrayList<String>();
    try {
      for (StatusBarNotification active : manager.getActiveNotifications()) {
        String tag = active.getTag();
        boolean isID = tag != null && tag.matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
        if (isID && Added.isOnDevice(named, UUID.fromString(tag), keys)) tags.add(tag);
      }
    } catch (Refused locked) {
      // The keys went away after they opened the message, which is shown all the same.
    }
    return tags;
  }
}
