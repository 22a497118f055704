// The reader of execution histories, as the service, the AWS CLI and the console give them.
// Files outside of this folder import this one, except tests.
export { loggedEvent } from './logged-event';
export { type HistoryFile, type HistoryFileEvent, readHistory } from './read-history';
