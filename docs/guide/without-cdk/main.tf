terraform {
  required_providers {
    aws     = { source = "hashicorp/aws", version = "~> 6.0" }
    archive = { source = "hashicorp/archive", version = "~> 2.0" }
  }
}

variable "bucket" {
  description = "A bucket of the region, for the template"
  type        = string
}

data "archive_file" "charge" {
  type        = "zip"
  source_file = "charge.py"
  output_path = "charge.zip"
}

data "aws_iam_policy_document" "lambda" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["lambda.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "charge" {
  assume_role_policy = data.aws_iam_policy_document.lambda.json
}

resource "aws_iam_role_policy_attachment" "charge" {
  role       = aws_iam_role.charge.name
  policy_arn = "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"
}

resource "aws_lambda_function" "charge" {
  function_name    = "charge"
  runtime          = "python3.13"
  handler          = "charge.handler"
  timeout          = 30
  role             = aws_iam_role.charge.arn
  filename         = data.archive_file.charge.output_path
  source_code_hash = data.archive_file.charge.output_base64sha256
}

resource "aws_s3_object" "template" {
  bucket = var.bucket
  key    = "onceflow/${filemd5("template.json")}.json"
  source = "template.json"
}

resource "aws_cloudformation_stack" "payments" {
  name         = "payments"
  template_url = "https://${var.bucket}.s3.amazonaws.com/${aws_s3_object.template.key}"
  capabilities = ["CAPABILITY_IAM"]
  parameters = {
    StepFunctionArn  = aws_lambda_function.charge.arn
    RetentionSeconds = 2592000
  }
}

output "state_machine_arn" {
  value = aws_cloudformation_stack.payments.outputs["StateMachineArn"]
}
