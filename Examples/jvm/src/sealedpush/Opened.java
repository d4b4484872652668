package sealedpush;

import java.util.*;

/**
 * A message that complies with every rule.
 *
 * @param messageID as it is on this device
 * @param issued Unix seconds, as the sender claims
 * @param lifetime seconds
 * @param sender T of the key that signed it; null if it is anonymous
 * @param recipient T of the key that opened it
 * @param text the content as it was sealed
 * @param userInfo the content without what is reserved
 * @param added null for a request for a proof
 */
public record Opened(UUID messageID, long issued, long lifetime, byte[] sender, byte[] recipient,
    ReplayMemory.Freshness freshness, String text, Map<String, Object> userInfo, Added added) {}
