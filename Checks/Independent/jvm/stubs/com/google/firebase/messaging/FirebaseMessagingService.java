package com.google.firebase.messaging;

public abstract class FirebaseMessagingService extends android.content.Context {
  public void onMessageReceived(RemoteMessage message) {}
  public void onNewToken(String token) {}
}
