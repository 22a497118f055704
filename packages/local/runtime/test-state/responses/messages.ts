import { BOOLEAN, list, map, NUMBER, STRING, structure, text } from '../shape';

/** What operations answer, by the own model of the service. */
export const SQS = {
  sendMessage: structure({
    MD5OfMessageBody: STRING,
    MD5OfMessageAttributes: STRING,
    MD5OfMessageSystemAttributes: STRING,
    MessageId: STRING,
    SequenceNumber: STRING,
  }),
  sendMessageBatch: structure(
    {
      Successful: list(
        structure(
          {
            Id: STRING,
            MessageId: STRING,
            MD5OfMessageBody: STRING,
            MD5OfMessageAttributes: STRING,
            MD5OfMessageSystemAttributes: STRING,
            SequenceNumber: STRING,
          },
          ['Id', 'MessageId', 'MD5OfMessageBody'],
        ),
      ),
      Failed: list(
        structure({ Id: STRING, SenderFault: BOOLEAN, Code: STRING, Message: STRING }, [
          'Id',
          'SenderFault',
          'Code',
        ]),
      ),
    },
    ['Successful', 'Failed'],
  ),
  receiveMessage: structure({
    Messages: list(
      structure({
        MessageId: STRING,
        ReceiptHandle: STRING,
        MD5OfBody: STRING,
        Body: STRING,
        Attributes: map(STRING),
        MD5OfMessageAttributes: STRING,
        MessageAttributes: map(
          structure(
            {
              StringValue: STRING,
              BinaryValue: STRING,
              StringListValues: list(STRING),
              BinaryListValues: list(STRING),
              DataType: STRING,
            },
            ['DataType'],
          ),
        ),
      }),
    ),
  }),
};

/** What operations answer, by the own model of the service. */
export const SNS = {
  publish: structure({ MessageId: STRING, SequenceNumber: STRING }),
  publishBatch: structure({
    Successful: list(structure({ Id: STRING, MessageId: STRING, SequenceNumber: STRING })),
    Failed: list(
      structure({ Id: STRING, Code: STRING, Message: STRING, SenderFault: BOOLEAN }, [
        'Id',
        'Code',
        'SenderFault',
      ]),
    ),
  }),
};

/** What operations answer, by the own model of the service. */
export const EVENTS = {
  putEvents: structure({
    FailedEntryCount: NUMBER,
    Entries: list(structure({ EventId: text({ max: 64 }), ErrorCode: STRING, ErrorMessage: STRING })),
  }),
};
