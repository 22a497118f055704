import type { ApiAnswer, ApiRequest, ServiceRoute } from '../../../api/exchange';
import type { Buckets } from '../buckets';
import { Rejection } from '../errors';
import { OBJECT_BYTES_MAX } from './body';
import { CREATE_BUCKET, DELETE_BUCKET, HEAD_BUCKET, LIST_BUCKETS, LIST_OBJECTS } from './bucket-operations';
import { DELETE_OBJECT, GET_OBJECT, HEAD_OBJECT, PUT_OBJECT } from './object-operations';
import { hostIdOf, namesIn, type Operation, rejectionAnswer, type S3Request, type Target } from './operation';

/** Chunks have their sizes and signatures between them: a line for each 8 KB at least. */
const CHUNK_BYTES = OBJECT_BYTES_MAX / 16;

/** S3: the REST API with the bucket in the path, for requests that are signed for it, in a header or in their URL. */
export function s3Route(buckets: Buckets, region: string): ServiceRoute {
  return {
    service: { title: 'S3', signingName: 's3' },
    requests: { signed: true },
    bodyBytesMax: OBJECT_BYTES_MAX + CHUNK_BYTES,
    tooLarge: requestId => rejectionAnswer(new Rejection('EntityTooLarge'), { requestId }),
    async handle(request) {
      const answer = await answerOf({ buckets, region }, request);
      const { requestId } = request;
      const own = isPresigned(request) ? NO_PAGE : {};
      const ids = { 'x-amz-request-id': requestId, 'x-amz-id-2': hostIdOf(requestId) };
      return { ...answer, headers: { ...ids, ...answer.headers, ...own } };
    },
  };
}

/** What an answer tells has been written: also what it has only read may have come a moment before. */
async function answerOf(target: Target, request: ApiRequest): Promise<ApiAnswer> {
  const result = perform(target, request);
  try {
    await target.buckets.written();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return rejectionAnswer(new Rejection('InternalError', message), request);
  }
  return result instanceof Rejection ? rejectionAnswer(result, request) : result;
}

function perform(target: Target, request: ApiRequest): ApiAnswer | Rejection {
  const named = namesIn(request.path);
  if (!named) return new Rejection('InvalidURI');
  const level = named.key !== '' ? 'object' : named.bucket !== '' ? 'bucket' : 'service';
  const operation = OPERATIONS[level].get(request.method);
  const signature = isPresigned(request) ? PRESIGNED : NONE;
  const unknown = [...request.query.keys()].find(name => {
    return !QUERY_OF_ALL.has(name) && !signature.has(name) && operation?.query?.includes(name) !== true;
  });
  const header = Object.keys(request.headers).find(name => HEADERS_OF_OTHERS.test(name));
  if (!operation || unknown !== undefined || header !== undefined) {
    const asked = `${request.method} of ${ARTICLE[level]}`;
    const detail = unknown === undefined ? header : `?${unknown}`;
    return new Rejection(
      'NotImplemented',
      `The local S3 has no ${asked}${detail === undefined ? '' : ` with ${detail}`}`,
    );
  }
  const rejection = isPresigned(request) ? rejectionOfUrl(request.query, target.buckets.now()) : undefined;
  if (rejection) return rejection;
  const asked: S3Request = { ...request, ...named };
  return operation.perform(target, asked);
}

const ARTICLE = { service: 'the service', bucket: 'a bucket', object: 'an object' };

const OPERATIONS: Readonly<Record<keyof typeof ARTICLE, ReadonlyMap<string, Operation>>> = {
  service: new Map([['GET', LIST_BUCKETS]]),
  bucket: new Map([
    ['GET', LIST_OBJECTS],
    ['PUT', CREATE_BUCKET],
    ['HEAD', HEAD_BUCKET],
    ['DELETE', DELETE_BUCKET],
  ]),
  object: new Map([
    ['GET', GET_OBJECT],
    ['PUT', PUT_OBJECT],
    ['HEAD', HEAD_OBJECT],
    ['DELETE', DELETE_OBJECT],
  ]),
};

/** By which SDKs say the operation, as if it could not be seen. */
const QUERY_OF_ALL: ReadonlySet<string> = new Set(['x-id']);

/** What a presigned URL is signed by; the last, for which SDKs ask by themselves, changes only headers. */
const PRESIGNED: ReadonlySet<string> = new Set([
  'X-Amz-Algorithm',
  'X-Amz-Content-Sha256',
  'X-Amz-Credential',
  'X-Amz-Date',
  'X-Amz-Expires',
  'X-Amz-Security-Token',
  'X-Amz-Signature',
  'X-Amz-SignedHeaders',
  'x-amz-checksum-mode',
]);
const NONE: ReadonlySet<string> = new Set();

/** A page of another origin can make a browser open a URL, but not use what is there, or run it beside our page. */
const NO_PAGE = {
  'content-security-policy': 'sandbox',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

function isPresigned({ headers, query }: ApiRequest): boolean {
  return headers.authorization === undefined && query.has('X-Amz-Credential');
}

/** Why a URL reads nothing: it is not complete, or its time is over. Signatures are not checked here. */
function rejectionOfUrl(query: URLSearchParams, now: number): Rejection | undefined {
  const basic = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
  const from = Date.parse((query.get('X-Amz-Date') ?? '').replace(basic, '$1-$2-$3T$4:$5:$6Z'));
  const seconds = Number(query.get('X-Amz-Expires') ?? Number.NaN);
  if (Number.isNaN(from) || Number.isNaN(seconds) || !query.has('X-Amz-Signature'))
    return new Rejection('AuthorizationQueryParametersError');
  return now > from + seconds * 1000 ? new Rejection('AccessDenied', 'Request has expired') : undefined;
}

/** Headers that make another operation of a request, or ask for a feature whose lack would stay unnoticed. */
const HEADERS_OF_OTHERS =
  /^x-amz-(?:copy-source|acl|grant-|tagging|object-lock-|website-redirect|write-offset|server-side-encryption-customer|bucket-object-lock|rename-source)/;
