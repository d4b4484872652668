package android.app;

public class NotificationManager {
  public static final int IMPORTANCE_LOW = 2;
  public static final int IMPORTANCE_DEFAULT = 3;
  public static final int IMPORTANCE_HIGH = 4;

  public void cancel(String tag, int id) {}
  public void createNotificationChannel(NotificationChannel channel) {}
  public android.service.notification.StatusBarNotification[] getActiveNotifications() { return null; }
  public void notify(String tag, int id, Notification notification) {}
}
