//! TraceLogging: schemas that travel in the event.
