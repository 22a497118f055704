import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  SendTaskFailureCommand,
  SendTaskHeartbeatCommand,
  SendTaskSuccessCommand,
  type SFNClient,
  TaskDoesNotExist,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import { DeleteMessageCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** What a worker works with. */
export interface WorkerOptions {
  readonly sqs: SQSClient;
  readonly sfn: SFNClient;
  readonly dynamodb: DynamoDBClient;
  readonly jobsQueueUrl: string;
  readonly filmsTable: string;
}

/** What the queue holds of a job. `attempt` and `redrives` are its fencing token, the first of them counting more. */
interface JobMessage {
  readonly taskToken: string;
  readonly film: string;
  readonly source: string;
  readonly attempt: number;
  readonly redrives: number;
}

/** The published data of a film. */
export interface Published {
  readonly film: string;
  readonly address: string;
}

/** Takes jobs off the queue, as one of many programs on machines of a team's own. */
export class Worker {
  readonly #options: WorkerOptions;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /**
   * The next job, which belongs to this worker from now on. Undefined in three cases: there is no job, no execution
   * waits for it any more, or it belongs to another worker. A queue may deliver a message twice.
   */
  async take(): Promise<Job | undefined> {
    const { sqs, jobsQueueUrl: QueueUrl } = this.#options;
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 0 }));
    const [received] = Messages;
    if (received?.Body === undefined) return undefined;
    const message = JSON.parse(received.Body) as JobMessage;
    const job = new Job(this.#options, message);
    const isMine = (await job.heartbeat()) && (await job.begin());
    // From here on the heartbeats guard the job, and not the visibility of its message.
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: received.ReceiptHandle }));
    return isMine ? job : undefined;
  }
}

/** A film to render, from taking it to telling how it ended. */
export class Job {
  readonly message: JobMessage;
  readonly #options: WorkerOptions;

  constructor(options: WorkerOptions, message: JobMessage) {
    [this.#options, this.message] = [options, message];
  }

  /** Says that the worker lives. False: no execution waits for this job any more, so stop working on it. */
  heartbeat(): Promise<boolean> {
    const { taskToken } = this.message;
    return this.#told(this.#options.sfn.send(new SendTaskHeartbeatCommand({ taskToken })));
  }

  /** Raises the fence: from now on no earlier worker publishes. False: a later one, or this job's first one, has. */
  begin(): Promise<boolean> {
    return this.#update(
      'SET attempt = :attempt, redrives = :redrives',
      'attribute_not_exists(attempt) OR attempt < :attempt OR (attempt = :attempt AND redrives < :redrives)',
    );
  }

  /** Publishes the film. False: it is fenced off by a later worker, or published already; nothing has happened. */
  publish(address: string): Promise<boolean> {
    return this.#update(
      'SET address = :address ADD publications :one',
      'attempt = :attempt AND redrives = :redrives AND attribute_not_exists(address)',
      { ':address': { S: address }, ':one': { N: '1' } },
    );
  }

  /** The published data of the film, by any worker: a worker that stopped afterwards has not reported it. */
  async published(): Promise<Published | undefined> {
    const { film } = this.message;
    const request = new GetItemCommand({ ...this.#item, ConsistentRead: true });
    const address = (await this.#options.dynamodb.send(request)).Item?.['address']?.S;
    return address === undefined ? undefined : { film, address };
  }

  /** Ends the step. False: no execution waits for this job any more. */
  succeed(result: Published): Promise<boolean> {
    const { taskToken } = this.message;
    const output = JSON.stringify(result);
    return this.#told(this.#options.sfn.send(new SendTaskSuccessCommand({ taskToken, output })));
  }

  /** Ends the step with an error. False: no execution waits for this job any more. */
  fail(error: string, cause: string): Promise<boolean> {
    const { taskToken } = this.message;
    return this.#told(this.#options.sfn.send(new SendTaskFailureCommand({ taskToken, error, cause })));
  }

  get #item() {
    return { TableName: this.#options.filmsTable, Key: { film: { S: this.message.film } } };
  }

  async #told(sent: Promise<unknown>): Promise<boolean> {
    try {
      await sent;
      return true;
    } catch (error) {
      if (error instanceof TaskTimedOut || error instanceof TaskDoesNotExist) return false;
      throw error;
    }
  }

  async #update(UpdateExpression: string, ConditionExpression: string, more: Values = {}): Promise<boolean> {
    const { attempt, redrives } = this.message;
    const fence = { ':attempt': { N: String(attempt) }, ':redrives': { N: String(redrives) } };
    const ExpressionAttributeValues = { ...fence, ...more };
    try {
      await this.#options.dynamodb.send(
        new UpdateItemCommand({
          ...this.#item,
          UpdateExpression,
          ConditionExpression,
          ExpressionAttributeValues,
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }
}

type Values = UpdateItemCommand['input']['ExpressionAttributeValues'];
