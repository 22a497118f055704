import { readDocument } from '../assembly/read-document';
import { isJsonObject, type Json, type JsonObject } from '../json/json';

/** What a call is answered with. */
export type MockedAnswer =
  | { readonly kind: 'succeeded'; readonly output: Json }
  | { readonly kind: 'failed'; readonly error: string; readonly cause: string };

/** The answers of a state or a resource. */
export type MockedResponse =
  /** By the attempt of one visit of the state, from 0, as Step Functions Local has them. */
  | { readonly kind: 'byAttempt'; readonly answers: ReadonlyMap<number, MockedAnswer> }
  /** By the call of an execution; the last one stays. */
  | { readonly kind: 'inTurn'; readonly answers: readonly MockedAnswer[] };

/** What a file of mocks says. */
export interface MockTable {
  /** By `Machine/State`, `State` or the resource, such as `bedrock:invokeModel`. */
  readonly answers: ReadonlyMap<string, MockedResponse>;
  /** By state, by the name of the machine and of the test case: `Machine#Case`. */
  readonly testCases: ReadonlyMap<string, ReadonlyMap<string, MockedResponse>>;
}

const SECTIONS = ['Answers', 'StateMachines', 'MockedResponses'];
/** A range of attempts, such as `1-3`, is no longer than this. */
const ATTEMPTS_MAX = 1_000;

/**
 * The mocks in a file, or in an object of the same form: `Answers` by state or resource, and the `StateMachines` and
 * `MockedResponses` of a file for Step Functions Local (`SFN_MOCK_CONFIG`). Every problem, if it cannot be used.
 */
export function readMocks(
  given: string | object,
):
  | { readonly kind: 'mocks'; readonly table: MockTable }
  | { readonly kind: 'problems'; readonly problems: readonly string[] } {
  const document = typeof given === 'string' ? readDocument(given) : (given as JsonObject);
  const name = typeof given === 'string' ? given : 'the mocks';
  if (typeof document === 'string') return { kind: 'problems', problems: [`${name} ${document}`] };
  const reader = new Reader(name, document);
  const table = { answers: reader.answers(), testCases: reader.testCases() };
  const { problems } = reader;
  return problems.length > 0 ? { kind: 'problems', problems } : { kind: 'mocks', table };
}

class Reader {
  readonly problems: string[] = [];
  readonly #name: string;
  readonly #document: JsonObject;

  constructor(name: string, document: JsonObject) {
    this.#name = name;
    this.#document = document;
    for (const section of Object.keys(document)) {
      if (!SECTIONS.includes(section)) this.#problem(section, `is not known; write ${SECTIONS.join(', ')}`);
    }
  }

  answers(): MockTable['answers'] {
    return new Map(
      this.#members(this.#document['Answers'], 'Answers').map(([key, value]) => [
        withoutPattern(key),
        this.#response(value, `Answers.${key}`),
      ]),
    );
  }

  testCases(): MockTable['testCases'] {
    const machines = this.#members(this.#document['StateMachines'], 'StateMachines');
    const cases = machines.flatMap(([machine, value]) => {
      const place = `StateMachines.${machine}.TestCases`;
      const section = isJsonObject(value) ? value['TestCases'] : value;
      return this.#members(section, place).map(([testCase, states]) => {
        const responses = this.#members(states, `${place}.${testCase}`).map(([state, response]) => {
          return [state, this.#response(response, `${place}.${testCase}.${state}`)] as const;
        });
        return [`${machine}#${testCase}`, new Map(responses)] as const;
      });
    });
    return new Map(cases);
  }

  #response(value: Json, place: string): MockedResponse {
    if (typeof value === 'string') return this.#named(value, place);
    if (Array.isArray(value)) {
      const answers = value.map((answer, index) => this.#answer(answer, `${place}[${index}]`));
      if (answers.length === 0) this.#problem(place, 'is an empty list; give it an answer');
      return { kind: 'inTurn', answers };
    }
    const isAnswer = isJsonObject(value) && ('Return' in value || 'Throw' in value);
    if (isAnswer) return { kind: 'inTurn', answers: [this.#answer(value, place)] };
    const attempts = this.#members(value, place).flatMap(([range, answer]) => {
      const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
      const length = Number(last) - Number(first) + 1;
      if (!(length >= 1 && length <= ATTEMPTS_MAX)) {
        this.#problem(`${place}.${range}`, 'must be Return, Throw, or attempts such as "0" or "1-2"');
        return [];
      }
      const read = this.#answer(answer, `${place}.${range}`);
      return Array.from({ length }, (_, index) => [Number(first) + index, read] as const);
    });
    return { kind: 'byAttempt', answers: new Map(attempts) };
  }

  #named(name: string, place: string): MockedResponse {
    const all = this.#document['MockedResponses'];
    const response = isJsonObject(all) && Object.hasOwn(all, name) ? all[name] : undefined;
    if (isJsonObject(response) || Array.isArray(response)) {
      return this.#response(response, `MockedResponses.${name}`);
    }
    this.#problem(place, `names the response ${name}, which MockedResponses does not have; add it there`);
    return { kind: 'inTurn', answers: [] };
  }

  #answer(value: Json, place: string): MockedAnswer {
    const [name, ...others] = isJsonObject(value) ? Object.keys(value) : [];
    if (isJsonObject(value) && others.length === 0) {
      if (name === 'Return') return { kind: 'succeeded', output: value[name] ?? null };
      const thrown = name === 'Throw' ? value[name] : undefined;
      if (isJsonObject(thrown) && typeof thrown['Error'] === 'string') {
        return { kind: 'failed', error: thrown['Error'], cause: String(thrown['Cause'] ?? '') };
      }
    }
    this.#problem(place, 'must be {"Return": …} or {"Throw": {"Error": "…", "Cause": "…"}}');
    return { kind: 'succeeded', output: null };
  }

  #members(value: Json | undefined, place: string): readonly (readonly [string, Json])[] {
    if (value === undefined) return [];
    if (isJsonObject(value)) return Object.entries(value);
    this.#problem(place, 'must be an object');
    return [];
  }

  #problem(place: string, message: string): void {
    this.problems.push(`${this.#name}: ${place} ${message}`);
  }
}

/** A resource without the beginning of its ARN, and without what says how its result is waited for. */
export function withoutPattern(resource: string): string {
  return resource
    .replace(/^arn:[^:]+:states:::/, '')
    .replace(/\.waitForTaskToken$/, '')
    .replace(/\.sync(?::2)?$/, '');
}
