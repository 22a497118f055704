/** Headers that are stored with an object and returned with it, by the names of their arguments in the SDK. */
export const OBJECT_HEADERS = {
  CacheControl: 'cache-control',
  ContentDisposition: 'content-disposition',
  ContentEncoding: 'content-encoding',
  ContentLanguage: 'content-language',
  ContentType: 'content-type',
} as const;
