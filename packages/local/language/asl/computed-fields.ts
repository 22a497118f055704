import type { JsonObject } from '../../json/json';
import type { DataFlow, Field } from './definition';

/** The place of a data flow: the state itself, a rule of a Choice, or a catcher. */
export interface FlowPart {
  readonly list: 'state' | 'Choices' | 'Catch';
  readonly fields: JsonObject;
}

/** What a state computes, read from the fields that its language has for it. */
export interface ComputedFields {
  /** A literal, or what computes the value in its place. */
  value(field: string): Field | undefined;
  /** What a Task and a Parallel work on in place of the state's input. */
  arguments(): Field | undefined;
  /** What a Pass hands on in place of its input. */
  result(): Field | undefined;
  /** The list of a Map. */
  items(): Field | undefined;
  /** What an iteration works on in place of its item. */
  itemSelector(): Field | undefined;
  roleArn(): Field | undefined;
  /** What decides whether a rule of a Choice holds. */
  condition(rule: JsonObject): Field;
  /** The data flow of the state itself, or of a part of it. */
  dataFlow(part?: FlowPart): DataFlow;
}
