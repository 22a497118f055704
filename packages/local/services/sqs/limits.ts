/** How long a received message is invisible by default, in seconds. */
export const VISIBILITY_SECONDS = 30;
/** How long a message is retained by default, in seconds: four days. */
export const RETENTION_SECONDS = 345_600;
/** The largest message in bytes, which is also the default of a queue. */
export const MESSAGE_BYTES_MAX = 1_048_576;
/** For how long a data key of KMS is used by default, in seconds. */
export const KEY_REUSE_SECONDS = 300;
