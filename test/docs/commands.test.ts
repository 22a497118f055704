import { commandsOf, NAMED_COMMANDS, problemOf } from './commands';
import { parsePage, readIfThere, readPages } from './page';

const documents = readPages().filter(({ path }) => !path.startsWith('examples/'));
const commands = documents.flatMap(commandsOf);

describe('the commands of the documents', () => {
  test('are understood by their programs, or it is named who runs them', () => {
    const problems = commands.flatMap(command => {
      const problem = problemOf(command, readIfThere);
      return problem === undefined ? [] : [`${command.at} ${command.text}: ${problem}`];
    });

    expect(problems).toEqual([]);
  });

  test('whose check is named stand in a document', () => {
    const texts = new Set(commands.map(({ text }) => text));

    expect(NAMED_COMMANDS.filter(name => !texts.has(name))).toEqual([]);
  });

  test('install our packages from tarballs: a package of their name in a registry is a stranger’s', () => {
    const installs = commands.filter(({ text }) => /^npm (?:i|install|add) /.test(text));

    expect(installs.length).toBeGreaterThan(0);
    expect(installs.filter(({ text }) => / (?:@onceflow\/|onceflow)/.test(text))).toEqual([]);
  });
});

describe('a command', () => {
  const problem = (text: string) => {
    const [command] = commandsOf(parsePage('page.md', `\`\`\`sh\n${text}\n\`\`\``));
    if (!command) throw new Error('no command found');
    return problemOf(command, readIfThere);
  };

  test.each([
    ['npm run demo -- --choas   # a wrong option', /choas/],
    ['npx onceflow show', /key/],
    ['npx onceflow shwo order-7', /shwo/],
    ['curl http://127.0.0.1', /no command of ours/],
  ])('%s: is found', (text, message) => {
    expect(problem(text)).toMatch(message);
  });

  test.each(['npm run --silent demo -- --json', 'npx onceflow show --json-key \'["a b",1]\''])(
    '%s: is right',
    text => {
      expect(problem(text)).toBeUndefined();
    },
  );
});
