import type { AppOptions, Conversation } from './conversation';
import { LocalApp } from './local-app';
import { synthesizeFrontDoor } from './stack';
import type { Target } from './target';

/**
 * Each conversation on a local stack of its own, over real HTTP, in virtual time. `newDirectory` is for assemblies, and
 * `type` that of the workflows; undefined: Standard.
 */
export function localTarget(newDirectory: () => string, type?: AppOptions['type']): Target {
  const assemblies = new Map<string, string>();
  const assemblyFor = (options: AppOptions): string => {
    const kind = JSON.stringify(options);
    const assembly = assemblies.get(kind) ?? synthesizeFrontDoor(newDirectory(), options);
    assemblies.set(kind, assembly);
    return assembly;
  };
  return {
    isUrl: false,
    skips: conversation =>
      conversation.requests.some(({ fault }) => fault === 'stale-reads')
        ? 'stale reads cannot be played here'
        : type && cannotHold(conversation),
    open: ({ app = {} }: Conversation) => LocalApp.open(assemblyFor(type ? { ...app, type } : app)),
    close: async () => undefined,
  };
}

/** The longest step that a request can wait for. */
const STEP_MS_MAX = 15_000;

/** Why a conversation cannot be held with an Express workflow; undefined if it can. */
function cannotHold({ requests, expect }: Conversation): string | undefined {
  if (requests.some(({ fault }) => fault === 'workflow-stopped-in-step')) {
    return 'an Express execution cannot be stopped';
  }
  if (requests.some(({ body }) => slowMsOf(body) > STEP_MS_MAX)) return 'its step outlasts the request';
  return expect.some(({ status }) => status === 202)
    ? 'an Express workflow answers no request 202'
    : undefined;
}

function slowMsOf(body: unknown): number {
  const { step } = (body ?? {}) as { readonly step?: { readonly slowMs?: number } };
  return step?.slowMs ?? 0;
}
