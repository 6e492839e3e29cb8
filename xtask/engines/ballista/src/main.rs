//! Ballista's scheduler, executor and a client in one program, which compiles `DataFusion` once for all of them.
//!
//! * `scheduler` and `executor` take the arguments of `ballista-scheduler` and `ballista-executor`, whose libraries they run
//! * `client ADDRESS STATEMENT...` has a scheduler execute SQL, and prints the rows of the last statement as JSON lines

use std::error::Error;
use std::sync::Arc;

use ballista::prelude::SessionContextExt;
use ballista_executor::executor_process::start_executor_process;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use clap::Parser;
use datafusion::arrow::json::LineDelimitedWriter;
use datafusion::prelude::SessionContext;

/// Bytes of the stack of a thread, as in the programs of Ballista.
const STACK: usize = 32 << 20;

type Done = Result<(), Box<dyn Error + Send + Sync>>;

fn main() -> Done {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().thread_stack_size(STACK).build()?;
    // On a thread of the runtime, for the stack.
    runtime.block_on(async { tokio::spawn(run()).await? })
}

async fn run() -> Done {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["scheduler", ..] => schedule(&arguments).await,
        ["executor", ..] => {
            let config = ballista_executor::config::Config::parse_from(&arguments);
            Ok(start_executor_process(Arc::new(config.try_into()?)).await?)
        }
        ["client", address, statements @ ..] => ask(address, statements).await,
        _ => Err("usage: scheduler ARGUMENT... | executor ARGUMENT... | client ADDRESS STATEMENT...".into()),
    }
}

async fn schedule(arguments: &[String]) -> Done {
    let config = ballista_scheduler::config::Config::parse_from(arguments);
    let address = format!("{}:{}", config.bind_host, config.bind_port).parse()?;
    let config: SchedulerConfig = config.try_into()?;
    let cluster = BallistaCluster::new_from_config(&config).await?;
    Ok(start_server(cluster, address, Arc::new(config)).await?)
}

async fn ask(address: &str, statements: &[&str]) -> Done {
    let session = SessionContext::remote(address).await?;
    let mut rows = Vec::new();
    for statement in statements {
        rows = session.sql(statement).await?.collect().await?;
    }
    let mut writer = LineDelimitedWriter::new(std::io::stdout().lock());
    writer.write_batches(&rows.iter().collect::<Vec<_>>())?;
    Ok(writer.finish()?)
}
