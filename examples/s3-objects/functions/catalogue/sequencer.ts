/** Longer than any that S3 sends: those seen have 16 to 20 digits. */
const DIGITS_MAX = 64;

/**
 * A sequencer of S3 in a form that texts are compared in: of two events of one object the one with the greater text is
 * the later. As AWS says: the shorter is padded with zeros on its right, and then they are compared as text. They are
 * no numbers: `A` comes after `10`.
 *
 * Those of different objects say nothing about each other.
 *
 * @throws Error `InvalidSequencer` for a value that is not a hexadecimal text of up to 64 digits
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html
 */
export function comparableSequencer(sequencer: unknown): string {
  if (typeof sequencer === 'string' && /^[0-9A-Fa-f]{1,64}$/.test(sequencer)) {
    return sequencer.toUpperCase().padEnd(DIGITS_MAX, '0');
  }
  const message = `sequencer must be up to ${DIGITS_MAX} hexadecimal digits`;
  throw Object.assign(new Error(message), { name: 'InvalidSequencer' });
}
