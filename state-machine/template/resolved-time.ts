import { Duration, Lazy } from 'aws-cdk-lib';

/**
 * A time that might be known only when the template is made: it follows from the timeout of a function, which aspects,
 * overrides and later lines of the app change. Whatever is made of it, is resolved with the template.
 */
export class ResolvedTime {
  /** The same for a time that nothing changes. */
  static of(duration: Duration): ResolvedTime {
    return new ResolvedTime(() => duration.toSeconds(), true);
  }

  /** The longest of several. */
  static longest(times: readonly ResolvedTime[]): ResolvedTime {
    return new ResolvedTime(
      () => Math.max(...times.map(one => one.seconds())),
      times.every(one => one.isFixed),
    );
  }

  /** Unless it is fixed, `seconds` is called only while the template is validated and resolved. */
  constructor(
    readonly seconds: () => number,
    private readonly isFixed = false,
  ) {}

  /** The time that another number of seconds follows from. */
  map(change: (seconds: number) => number): ResolvedTime {
    return new ResolvedTime(() => change(this.seconds()), this.isFixed);
  }

  /** This time and another one. */
  plus(other: ResolvedTime | Duration): ResolvedTime {
    const added = other instanceof Duration ? ResolvedTime.of(other) : other;
    return new ResolvedTime(() => this.seconds() + added.seconds(), this.isFixed && added.isFixed);
  }

  /** As CDK takes it. It cannot be converted or compared. */
  get duration(): Duration {
    return Duration.seconds(this.count());
  }

  /** The seconds, or another count that follows from them: a number of the template, or within a text of JSONata. */
  count(of: (seconds: number) => number = seconds => seconds): number {
    const produce = () => of(this.seconds());
    // Not cached: a definition can be resolved before the aspects have run.
    return this.isFixed ? produce() : Lazy.uncachedNumber({ produce });
  }

  /** The seconds as a text of their own: a text that is nothing but a `count` would become a number. */
  get text(): string {
    return this.written(String);
  }

  /** The time in words, within a text. */
  get words(): string {
    return this.written(seconds => Duration.seconds(seconds).toHumanString());
  }

  private written(as: (seconds: number) => string): string {
    const produce = () => as(this.seconds());
    return this.isFixed ? produce() : Lazy.uncachedString({ produce });
  }
}
