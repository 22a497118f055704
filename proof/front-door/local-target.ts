import type { AppOptions, Conversation } from './conversation';
import { LocalApp } from './local-app';
import { synthesizeFrontDoor } from './stack';
import type { Target } from './target';

/** Each conversation on a local stack of its own, over real HTTP, in virtual time. `newDirectory` is for assemblies. */
export function localTarget(newDirectory: () => string): Target {
  const assemblies = new Map<string, string>();
  const assemblyFor = (options: AppOptions): string => {
    const kind = JSON.stringify(options);
    const assembly = assemblies.get(kind) ?? synthesizeFrontDoor(newDirectory(), options);
    assemblies.set(kind, assembly);
    return assembly;
  };
  return {
    isUrl: false,
    skips: ({ requests }) =>
      requests.some(({ fault }) => fault === 'stale-reads') ? 'stale reads cannot be played here' : undefined,
    open: ({ app = {} }: Conversation) => LocalApp.open(assemblyFor(app)),
    close: async () => undefined,
  };
}
