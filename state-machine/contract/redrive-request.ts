// A file of its own: it is bundled into the function, whose code stands in the template.

/** For how long the function that redrives waits for its request, whatever its timeout is. In milliseconds. */
export const REDRIVE_REQUEST_MS = 10_000;
