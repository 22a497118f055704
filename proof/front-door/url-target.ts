import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Conversation, Request } from './conversation';
import { send } from './send';
import { type OpenApp, type Target, urlOf } from './target';

/** What a conversation may wait for where time cannot be moved. */
const WAIT_MS_MAX = 15_000;
/** The characters of a key that is long for its own sake, and must not be made longer. */
const KEY_CHARACTERS_MAX = 200;

/**
 * The reference app wherever it is deployed. Conversations that need a fault, another caller, another app or hours are
 * skipped, and effects are not counted. `run` is put in front of keys, so that they are new.
 */
export function urlTarget(base: URL, run: string): Target {
  const client = base.protocol === 'https:' ? https : http;
  const agent = new client.Agent({ keepAlive: true });
  return {
    isUrl: true,
    skips: reasonToSkip,
    async open({ id }: Conversation): Promise<OpenApp> {
      return {
        async send(request) {
          const begun = Date.now();
          const answer = send(urlOf(request.path, base), withOwnKey(request, `${run}-${id}-`), agent).then(
            (received): Answer => ({ kind: 'answer', ...received, tookMs: Date.now() - begun }),
            (): Answer => ({ kind: 'none' }),
          );
          return { answer };
        },
        answersOf: pending => Promise.all(pending),
        wait: async ms => sleep(ms),
        now: () => Date.now(),
        effects: async () => undefined,
        close: async () => undefined,
      };
    },
    close: async () => agent.destroy(),
  };
}

function reasonToSkip({ app, requests }: Conversation): string | undefined {
  if (app) return 'it needs an app that behaves otherwise';
  const fault = requests.find(request => request.fault !== undefined)?.fault;
  if (fault !== undefined) return `it needs the fault ${fault}`;
  if (requests.some(({ principal }) => principal !== undefined)) return 'it needs several callers';
  const waits = requests.reduce((sum, { delayMs = 0 }) => sum + delayMs, 0);
  return waits > WAIT_MS_MAX ? `it needs ${Math.ceil(waits / 1000)} seconds` : undefined;
}

function withOwnKey(request: Request, prefix: string): Request {
  const headers = Object.entries(request.headers ?? {}).map(([name, value]) => {
    const isKey = name.toLowerCase() === 'idempotency-key';
    return [name, isKey && typeof value === 'string' ? prefixed(value, prefix) : value] as const;
  });
  return { ...request, headers: Object.fromEntries(headers) };
}

function prefixed(key: string, prefix: string): string {
  if (key.length > KEY_CHARACTERS_MAX) return key;
  return key.replace(/[A-Za-z0-9]/, first => `${prefix}${first}`);
}
