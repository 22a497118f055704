import type { KeyExecution, KeyView } from '../../views';
import { cutInTheMiddle, duration, moment, timeOfDay } from '../text';
import { type Axis, axisOf, percent } from './axis';
import { appearanceOf } from './status';
import { appearanceOfKind } from './story';

/** What fits beside a lane. */
const NAME_MAX = 20;

/** A lane for each execution and one for the record, on one axis; the list below says the same in words. */
export function Lanes({ view }: { readonly view: KeyView }) {
  const { executions, versions, now, story } = view;
  const acts = story.filter(({ actor }) => actor !== 'delivery');
  const isOpen = executions.some(({ stop }) => stop === null);
  const moments = [
    ...executions.flatMap(({ start, stop, timeline }) => [
      start,
      ...(stop === null ? [] : [stop]),
      ...timeline.map(({ at }) => at),
    ]),
    ...versions.map(({ at }) => at),
    ...(isOpen ? [now] : []),
  ];
  const axis = axisOf(moments);
  const end = Math.max(...moments);
  return (
    <div
      class="lanes"
      role="img"
      aria-label={`Time axis of ${executions.length} executions; the list below says the same`}
    >
      {executions.map(execution => (
        <Lane key={execution.executionArn} execution={execution} axis={axis} end={end} />
      ))}
      {acts.length > 0 && (
        <div class="lane">
          <span class="name">{[...new Set(acts.map(({ actor }) => actor))].join(', ')}</span>
          <span class="track">
            {acts.map(({ at, kind, text }, index) => (
              <Dot key={index} kind={kind} title={`${timeOfDay(at)} ${text}`} left={axis.at(at)} />
            ))}
          </span>
        </div>
      )}
      <div class="lane record">
        <span class="name">record</span>
        <span class="track">
          {versions.map(({ at, status, by }, index) => {
            const until = versions[index + 1]?.at ?? end;
            return (
              <span
                key={`${at} ${status}`}
                class={`bar version ${appearanceOf(status).tone}`}
                style={placed(axis, at, until)}
                title={`${status}, written by ${by} at ${timeOfDay(at)}`}
              >
                {status}
              </span>
            );
          })}
        </span>
      </div>
      <div class="lane ticks">
        <span class="name">UTC, not to scale</span>
        <span class="track">
          {axis.ticks.map(({ at, sincePrevious }, index) => (
            <span
              key={at}
              class="tick"
              style={{ left: percent(axis.at(at)) }}
              title={moment(at, { ms: true })}
            >
              {index === 0 ? timeOfDay(at).slice(0, 8) : `+${duration(sincePrevious)}`}
            </span>
          ))}
        </span>
      </div>
    </div>
  );
}

function Lane({
  execution,
  axis,
  end,
}: {
  readonly execution: KeyExecution;
  readonly axis: Axis;
  readonly end: number;
}) {
  const { name, status, start, stop, isOwner, timeline } = execution;
  const { sign, tone } = appearanceOf(status);
  return (
    <div class="lane">
      <span class="name" title={name}>
        <span aria-hidden="true">{sign}</span> {isOwner ? '★ ' : ''}
        {cutInTheMiddle(name, NAME_MAX)}
      </span>
      <span class="track">
        <span class={`bar ${tone}`} style={placed(axis, start, stop ?? end)} />
        {timeline.map(({ at, kind, text }, index) => (
          <Dot key={index} kind={kind} title={`${timeOfDay(at)} ${text}`} left={axis.at(at)} />
        ))}
      </span>
    </div>
  );
}

function Dot(props: { readonly kind: string; readonly title: string; readonly left: number }) {
  const { kind, title, left } = props;
  return <span class={`dot ${appearanceOfKind(kind).tone}`} style={{ left: percent(left) }} title={title} />;
}

function placed(axis: Axis, from: number, to: number) {
  const left = axis.at(from);
  return { left: percent(left), width: `max(4px, ${percent(axis.at(to) - left)})` };
}
