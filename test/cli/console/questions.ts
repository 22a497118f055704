/** What people ask of a delivery that went wrong, and what it takes to know. */
export interface Question {
  readonly question: string;
  /** Clicks from the first page of the console until the answer is seen. */
  readonly clicks: 0 | 1 | 2;
  /** Where it stands. */
  readonly answer: string;
  /** The same with the consoles of Step Functions and DynamoDB, as their documentation has them. */
  readonly aws: string;
}

/** The twelve questions, by short names; a test answers each on the page, and counts. */
export const QUESTIONS = {
  happened: {
    question: 'What happened to this order?',
    clicks: 1,
    answer: 'its key: *What happened*',
    aws: 'executions are listed by name and status, not by key: 2 clicks to each that may be the one',
  },
  deliveries: {
    question: 'How often was it delivered, and what became of each delivery?',
    clicks: 1,
    answer: 'its key: *Deliveries*; starts that a name rejected are recorded nowhere',
    aws: 'as above; starts that a name rejected are recorded nowhere',
  },
  rejected: {
    question: 'Why did this one not run?',
    clicks: 1,
    answer: 'its key: the row of the delivery',
    aws: '3 clicks once it is found, to a state with an error; what that means is for its reader',
  },
  owner: {
    question: 'Who owns the key, is it alive, until when is it left alone?',
    clicks: 1,
    answer: 'its key: *owner*, and what is counted down',
    aws: 'the record in *Explore items*, then its owner in Step Functions; until when: in no view',
  },
  stopped: {
    question: 'In which state, with which input and error did it stop?',
    clicks: 2,
    answer: 'its key, the execution: the state that failed is shown',
    aws: '3 clicks once it is found',
  },
  twice: {
    question: 'Did the step run twice, when?',
    clicks: 1,
    answer: 'its key: the rows in bold of its story',
    aws: '3 clicks for each execution of the order',
  },
  differs: {
    question: 'Which payload field differs?',
    clicks: 1,
    answer: 'its key: *What differs*',
    aws: 'no view compares two inputs',
  },
  next: {
    question: 'What would the next delivery do?',
    clicks: 1,
    answer: 'its key: the sentence of that name',
    aws: 'in no view',
  },
  stuck: {
    question: 'What is stuck, oldest first?',
    clicks: 0,
    answer: 'the first page',
    aws: 'a scan of the table with a filter; whether an owner lives is a page for each',
  },
  actions: {
    question: 'What may I do, and what will it write?',
    clicks: 2,
    answer: 'its key, the button of the action: nothing is done before another click',
    aws: '*Stop*, *Redrive* and *New execution*; what they mean for the key is in no view',
  },
  state: {
    question: 'What did this state get and give?',
    clicks: 2,
    answer: 'its key, the moment that the story tells of',
    aws: '3 clicks once it is found',
  },
  cost: {
    question: 'What did it cost?',
    clicks: 1,
    answer: 'its key: the cost of its executions, and the share of duplicates',
    aws: '2 clicks once it is found: the number of transitions',
  },
} as const satisfies Readonly<Record<string, Question>>;
