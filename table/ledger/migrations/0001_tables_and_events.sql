CREATE TABLE tables (
    id TEXT NOT NULL,
    opened_at TEXT NOT NULL,
    PRIMARY KEY (id)
);

CREATE TABLE events (
    table_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    recorded_at TEXT NOT NULL,
    request_key TEXT,
    fingerprint TEXT,
    PRIMARY KEY (table_id, seq),
    UNIQUE (table_id, request_key),
    FOREIGN KEY (table_id) REFERENCES tables (id),
    CHECK (seq > 0)
);
