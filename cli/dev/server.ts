import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { LocalStack, WorkTracker } from '@onceflow/local';
import type { Local } from '../app/installed';
import { createLocalStackAccess } from './create-local-stack-access';
import { Faults } from './faults';
import type { LocalStackAccess, StackPage } from './local-stack-access';
import { RecentActivity } from './recent-activity';

/** How the stack is served, whichever assembly it is of. */
export interface ServerOptions {
  readonly port: number;
  readonly httpPort: number | undefined;
  readonly httpPrincipal: string | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  readonly functions: Readonly<Record<string, string>>;
  readonly state: string | undefined;
  readonly dynamodb: string | undefined;
  readonly keep: number | undefined;
  /** Executions that the first stack stops before any goes on. */
  readonly stop: readonly string[];
  /** Receives what the functions write. */
  log(functionName: string, text: string): void;
  /** Serves the page of the stack behind an endpoint; undefined where @onceflow/console is not installed. */
  servePage(
    endpoint: string,
    region: string,
    local: () => LocalStackAccess | undefined,
  ): Promise<StackPage | undefined>;
}

/** How an assembly was taken: its stack runs, ran already, or cannot run, for the reason in `message`. */
export type Deployed =
  | { readonly kind: 'running'; readonly stack: LocalStack; readonly isRestart: boolean }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'problem'; readonly message: string };

/** The port between is the page's. */
const HTTP_PORT_ABOVE = 2;

interface Running {
  readonly stack: LocalStack;
  readonly assembly: string;
  readonly access: LocalStackAccess;
}

/** One stack at a time behind one port, of an assembly that can be replaced, and its page. */
export class Server {
  readonly #local: Local;
  readonly #options: ServerOptions;
  #port: number;
  #httpPort: number;
  #running: Running | undefined;
  #page: StackPage | undefined;
  #stop: readonly string[];
  readonly #work: WorkTracker;
  readonly #recent: RecentActivity;
  readonly #faults: Faults;

  constructor(local: Local, options: ServerOptions) {
    this.#local = local;
    this.#options = options;
    this.#port = options.port;
    this.#httpPort = options.httpPort ?? (options.port === 0 ? 0 : options.port + HTTP_PORT_ABOVE);
    this.#stop = options.stop;
    this.#work = new local.WorkTracker();
    this.#recent = new RecentActivity(() => this.#running?.stack.now() ?? Date.now());
    this.#faults = new Faults(this.#work, () => this.#running?.stack);
  }

  /**
   * Runs this assembly instead of the one before, unless both deploy the same.
   *
   * An app that cannot run changes nothing, also not in the state's directory: it is tried first, in memory and with a
   * clock that stands still. The assembly before is back where only the real start fails, as it may over what the
   * directory holds.
   */
  async deploy(assembly: string): Promise<Deployed> {
    const before = this.#running;
    // Nothing runs that a rejection could stop, and nothing is kept that it could change.
    if (before === undefined && this.#options.state === undefined) return this.#start(assembly);
    if (before !== undefined && deployedBy(before.assembly) === deployedBy(assembly)) {
      return { kind: 'unchanged' };
    }
    const problem = await this.#trial(assembly);
    if (problem !== undefined) return { kind: 'problem', message: problem };
    if (before === undefined) return this.#start(assembly);
    await this.#end();
    const deployed = await this.#start(assembly);
    if (deployed.kind === 'running') return { ...deployed, isRestart: true };
    await this.#start(before.assembly);
    return deployed;
  }

  /** Whether a stack runs. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** The address of the stack's page; undefined where @onceflow/console is not installed. */
  get pageUrl(): string | undefined {
    return this.#page?.url;
  }

  /** Stops the stack, if one runs, and its page. */
  async close(): Promise<void> {
    const page = this.#page;
    this.#page = undefined;
    await page?.close();
    await this.#end();
  }

  async #end(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.stack.close();
  }

  async #start(assembly: string): Promise<Deployed> {
    const { state, dynamodb, keep, log, httpPrincipal, parameters, functions } = this.#options;
    const stack = await this.#attempt({
      assembly,
      parameters,
      functions,
      port: this.#port,
      httpPort: this.#httpPort,
      ...(httpPrincipal !== undefined && { httpPrincipal }),
      work: this.#work,
      interceptor: this.#faults.interceptor,
      deliveryInterceptor: this.#recent.deliveryInterceptor,
      invoked: invocation => this.#recent.addInvocation(invocation),
      log: (name, text) => {
        this.#recent.addLine(name, text);
        log(name, text);
      },
      ...(state !== undefined && { state }),
      ...(keep !== undefined && { keep }),
      ...(this.#stop.length > 0 && { stop: this.#stop }),
      ...(dynamodb !== undefined && { dynamodb: { endpoint: dynamodb } }),
    });
    if (typeof stack === 'string') return { kind: 'problem', message: stack };
    // A port that was drawn stays the same after a restart.
    this.#port = Number(new URL(stack.endpoint).port);
    const ports = new Set(stack.restApis.map(({ url }) => Number(new URL(url).port)));
    if (ports.size === 1) this.#httpPort = [...ports][0] ?? this.#httpPort;
    this.#running = { stack, assembly, access: createLocalStackAccess(stack, this.#recent, this.#faults) };
    // It goes on over restarts, as the endpoint stays where it is.
    this.#page ??= await this.#options.servePage(stack.endpoint, stack.region, () => this.#running?.access);
    this.#stop = [];
    return { kind: 'running', stack, isRestart: false };
  }

  async #trial(assembly: string): Promise<string | undefined> {
    const { parameters, functions } = this.#options;
    const clock = new this.#local.VirtualClock(Date.now());
    const stack = await this.#attempt({ assembly, clock, parameters, functions });
    if (typeof stack === 'string') return stack;
    await stack.close();
    return undefined;
  }

  /** A stack, or the change that the user must make before there can be one. */
  async #attempt(options: Parameters<Local['startLocal']>[0]): Promise<LocalStack | string> {
    try {
      return await this.#local.startLocal(options);
    } catch (error) {
      if (error instanceof this.#local.LocalError) return error.message;
      throw error;
    }
  }
}

/** What an assembly deploys, as a text: its templates, and the hashes of the assets that they name. */
function deployedBy(assembly: string): string {
  const files = readdirSync(assembly, { recursive: true, encoding: 'utf8' });
  const deployed = files.filter(file => /\.(?:template|assets)\.json$/.test(file)).sort();
  return deployed.map(file => `${file}\n${readFileSync(path.join(assembly, file), 'utf8')}`).join('\n');
}
