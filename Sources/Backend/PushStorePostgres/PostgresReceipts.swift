extension PostgresSchema {
  /// Outcomes that a device reports by a receipt.
  ///
  /// `device_message_id` is the ID that the device knows: rows from before this version have none, and are never shown. What
  /// APNs said stays in `outcome`: whoever reads that column reads what it read before.
  static let receipts = """
    ALTER TABLE sealpush.outcome ADD COLUMN device_message_id uuid, ADD COLUMN shown_at timestamptz;
    CREATE INDEX outcome_device_message ON sealpush.outcome (device_message_id) WHERE device_message_id IS NOT NULL;
    """
}
