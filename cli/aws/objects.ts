import { GetObjectCommand, HeadObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { fetchResultText } from '../../state-machine/contract/store-result';
import type { ResultObject } from '../../state-machine/contract/stored-result';

/** The state of an object that a record names. */
export type Kept<Found> =
  | { readonly kind: 'found'; readonly found: Found }
  /** There is no such object, or no such bucket. */
  | { readonly kind: 'gone' }
  /** Another one is in its place, or S3 does not say which one it is. */
  | { readonly kind: 'replaced' };

/** How long a URL can be used, and since when, by the clock of AWS. */
export interface UrlTerm {
  readonly from: Date;
  /** At most seven days. */
  readonly seconds: number;
}

/** Objects with results. Each promise rejects with the SDK's error if S3 denies the request, or does not answer. */
export interface Objects {
  /** The text of the very object that was put there. */
  textOf(object: ResultObject): Promise<Kept<string>>;
  /** A URL of that object, for every holder of the URL. The URL also reads an object that is put there later. */
  urlOf(object: ResultObject, term: UrlTerm): Promise<Kept<string>>;
  close(): void;
}

/** Opens them with one client. */
export function openObjects(config: S3ClientConfig, signal?: AbortSignal): Objects {
  // The hash of the record is compared, which is stricter; and a URL of a GET has no checksum in it.
  const checksums = 'WHEN_REQUIRED';
  const client = new S3Client({
    ...config,
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
  });
  const options = { abortSignal: signal };
  return {
    textOf(object) {
      const getObject = (request: { readonly Bucket: string; readonly Key: string }) =>
        client.send(new GetObjectCommand(request), options);
      return kept(fetchResultText({ getObject }, object));
    },
    urlOf({ bucket, key, sha256 }, { from, seconds }) {
      const location = { Bucket: bucket, Key: key };
      const signed = async () => {
        const head = new HeadObjectCommand({ ...location, ChecksumMode: 'ENABLED' });
        const { ChecksumSHA256 } = await client.send(head, options);
        if (ChecksumSHA256 !== sha256) return undefined;
        return getSignedUrl(client, new GetObjectCommand(location), {
          expiresIn: seconds,
          signingDate: from,
        });
      };
      return kept(signed());
    },
    close: () => client.destroy(),
  };
}

async function kept<Found>(found: Promise<Found | undefined>): Promise<Kept<Found>> {
  try {
    const answer = await found;
    return answer === undefined ? { kind: 'replaced' } : { kind: 'found', found: answer };
  } catch (error) {
    const isGone = error instanceof Error && /^(?:NoSuchKey|NoSuchBucket|NotFound)$/.test(error.name);
    if (isGone) return { kind: 'gone' };
    throw error;
  }
}
