import { listTagsForResource, tagResource, untagResource } from '../../../runtime/catalogue/tags';
import { ARN, TAGS } from './fields';
import { NOTHING, type Operations, operation } from './operation';

/** Operations on the tags of machines and activities. */
export const TAG_OPERATIONS: Operations = {
  TagResource: operation(
    { resourceArn: ARN, tags: { ...TAGS, required: true } },
    ({ catalogue }, { resourceArn, tags }) => {
      tagResource(catalogue, resourceArn, tags);
      return NOTHING;
    },
  ),

  UntagResource: operation(
    {
      resourceArn: ARN,
      tagKeys: { kind: 'list', member: { kind: 'text', min: 1, max: 128 }, required: true },
    },
    ({ catalogue }, { resourceArn, tagKeys }) => {
      untagResource(catalogue, resourceArn, tagKeys);
      return NOTHING;
    },
  ),

  ListTagsForResource: operation({ resourceArn: ARN }, ({ catalogue }, { resourceArn }) => {
    return { tags: listTagsForResource(catalogue, resourceArn) };
  }),
};
