exports.handler = async event => {
  const text = `${process.env.GREETING} ${process.env.FROM}`;
  return event.pathParameters ? { statusCode: 200, body: `${text} ${event.pathParameters.name}` } : text;
};
