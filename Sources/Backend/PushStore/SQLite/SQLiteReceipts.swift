extension SQLiteSchema {
  /// Outcomes that a device reports by a receipt.
  ///
  /// `device_message_id` is the ID that the device knows: rows from before this version have none, and are never shown. What
  /// APNs said stays in `outcome`: whoever reads that column reads what it read before.
  static let receipts = """
    ALTER TABLE outcome ADD COLUMN device_message_id TEXT COLLATE NOCASE;
    ALTER TABLE outcome ADD COLUMN shown_at REAL;
    CREATE INDEX outcome_device_message ON outcome (device_message_id) WHERE device_message_id IS NOT NULL;
    """
}
