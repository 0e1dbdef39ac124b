CREATE TABLE photos (
    table_id TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    media_type TEXT NOT NULL,
    content BYTEA NOT NULL,
    kept_at TEXT NOT NULL,
    PRIMARY KEY (table_id, sha256),
    FOREIGN KEY (table_id) REFERENCES tables (id)
);
